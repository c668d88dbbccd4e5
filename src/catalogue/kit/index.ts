/**
 * The definition of a scraper and its parts: all that these files export. Scrapers and the engine import
 * only this module.
 */
import { keepClasses } from "../../base/error-crossing.ts"
import * as errors from "./core/errors.ts"

// Keeps the class of an error when it is sent between threads or replayed from a recording.
keepClasses(errors)

export { parseJson } from "../../base/json-text.ts"
export * from "./actions.ts"
export * from "./challenge.ts"
export * from "./coerce.ts"
export * from "./context.ts"
export * from "./core/brief.ts"
export * from "./core/calls.ts"
export * from "./core/errors.ts"
export * from "./core/fields.ts"
export * from "./core/inputs.ts"
export * from "./core/record.ts"
export * from "./core/refusal.ts"
export * from "./core/targets.ts"
export * from "./feeds.ts"
export * from "./input.ts"
export * from "./model.ts"
export * from "./own-fields.ts"
export * from "./paging.ts"
export * from "./probe.ts"
export * from "./scraper.ts"
export * from "./secrets.ts"
export * from "./stored-input.ts"
export * from "./upstream.ts"
export * from "./vocabulary/business.ts"
export * from "./vocabulary/product.ts"
export * from "./vocabulary/real-estate.ts"
export * from "./vocabulary/registry.ts"
export * from "./vocabulary/review.ts"
export * from "./vocabulary/scholarly.ts"
export * from "./vocabulary/screen.ts"
export * from "./vocabulary/social.ts"
export * from "./watch.ts"
