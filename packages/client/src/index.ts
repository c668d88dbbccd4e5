export type {
  Account,
  Batch,
  Dataset,
  DatasetChange,
  KeylessResult,
  ListedRun,
  ListedSchedule,
  LogLine,
  Monitor,
  MonitorChanges,
  NewDatasetLink,
  Recipe,
  Run,
  RunEstimate,
  RunTarget,
  Schedule,
  SiteMap,
} from "./api.js"
export type { NewRecipe, ScheduleOptions } from "./automation.js"
export {
  type KeylessOptions,
  type KeylessRunResult,
  type RunOptions,
  type RunResult,
  type ScrapedFields,
  type SearchOptions,
  type SearchResult,
  type StartOptions,
  Trawl,
} from "./client.js"
export {
  ApiError,
  Conflict,
  ConnectionFailed,
  Forbidden,
  type InputIssue,
  InvalidInput,
  NotFound,
  OutOfCredit,
  RateLimited,
  RunFailed,
  TooLarge,
  TrawlError,
  Unauthorized,
  Unavailable,
  WaitTimeout,
} from "./errors.js"
export type { RequestOptions, SignalOption, TrawlOptions } from "./http.js"
export {
  type ErrorItem,
  type Input,
  type Item,
  isErrorItem,
  type RecipeSlug,
  recipe,
  type Slug,
  type StandardSchema,
} from "./items.js"
export type {
  AccountOptions,
  ExportFormat,
  ExportOptions,
  ItemOptions,
  UploadOptions,
  WaitOptions,
} from "./resources.js"
export type { Scrapers } from "./scrapers.js"
