import { keepClasses } from "../../base/error-crossing.ts"
import * as outcomes from "./errors.ts"

/** An error is the same in every thread, and in a replay as it was recorded. */
keepClasses(outcomes)
