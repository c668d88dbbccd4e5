import { keepClasses } from "../../base/error-crossing.ts"
import * as outcomes from "./core/errors.ts"

/** Keeps the class of an error when it is sent between threads or replayed from a recording. */
keepClasses(outcomes)
