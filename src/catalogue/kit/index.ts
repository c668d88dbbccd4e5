/** The definition of a scraper and its parts. Scrapers and the engine import only this module. */
import "./error-crossing.ts"

export { parseJson } from "../../base/json-text.ts"
export {
  actionsInput,
  actionsOf,
  checkActions,
  type PageAction,
  readingActionsInput,
} from "./actions.ts"
export type { ChallengeRules, Proof, Sign, Suspect } from "./challenge.ts"
export { coerced, emptyWith, entriesOfObject, plainSchemaAs, schemaOfTypes } from "./coerce.ts"
export {
  type ActionResults,
  type AttemptMethod,
  type Context,
  type DataOptions,
  type DocumentFile,
  type FetchMethod,
  type FileToKeep,
  fallbackMethods,
  fetchMethods,
  type JsonOptions,
  type JsonReading,
  type PageOptions,
  type PageView,
  type PdfOptions,
  type Refusal,
  type RenderedResponse,
  type RenderOptions,
  type RequestOptions,
  type ScreenshotOptions,
  type Shots,
  type Step,
  type Steps,
  type StoredFile,
  shotForms,
  type Tab,
  type Target,
  type TlsPeer,
  type UpstreamResponse,
  type Wanted,
} from "./context.ts"
export { briefText, briefValue } from "./core/brief.ts"
export { assertScrapeError, once, orByCall, orNull, partFailed } from "./core/calls.ts"
export {
  Aborted,
  BadInput,
  Blocked,
  busyIsRateLimit,
  Changed,
  causeOf,
  EgressDenied,
  EmptyShell,
  type ErrorItem,
  errorItem,
  Forbidden,
  HttpError,
  NotFound,
  OutOfCredit,
  parseError,
  RateLimited,
  RobotsDisallowed,
  ScrapeError,
  StaleKey,
  Timeout,
  TooLarge,
  TooManyRedirects,
  Unreachable,
  UnsupportedContent,
  UpstreamError,
  unreadable,
} from "./core/errors.ts"
export { discontinued, inputObject, itemObject, items, nullable, oneOf } from "./core/fields.ts"
export {
  type InputOf,
  inputs,
  namingInput,
  pageUrls,
  provided,
  requireSelector,
} from "./core/inputs.ts"
export { css, field, type Row, record, recordOf, required, type Source } from "./core/record.ts"
export {
  isErrorPage,
  isMarkup,
  isPlain,
  readOnce,
  readPage,
  refusedPage,
  refusedRequest,
} from "./core/refusal.ts"
export {
  decodedPath,
  type NamedLink,
  ownUrl,
  siteOf,
  targetUrl,
  toPageUrl,
} from "./core/targets.ts"
export { feedIn, searchFeed } from "./feeds.ts"
export {
  type CheckedInput,
  checkInput,
  expectation,
  expectedWords,
  type InputIssue,
  inputFromQuery,
  maxIssues,
  topField,
} from "./input.ts"
export { listField } from "./list-field.ts"
export type { ModelRequest, ModelResponse, ModelUsage } from "./model.ts"
export {
  type OwnField,
  ownFieldsOf,
  schemaOfRow,
  schemaWithOwn,
} from "./own-fields.ts"
export { cursor, numbered, offset, readRows } from "./paging.ts"
export {
  type Probe,
  type ProbeExpectation,
  readExpectation,
} from "./probe.ts"
export {
  type AnyScraper,
  categories,
  defineScraper,
  fetchMethodsOf,
  type HostRateLimit,
} from "./scraper.ts"
export { isSecret, type SecretName, secretRows, secrets } from "./secrets.ts"
export { type StoredInput, storedInput } from "./stored-input.ts"
export {
  staleKey,
  type TableValue,
  type TableValues,
  tableAgeDays,
  type UpstreamTable,
  upstreamSetting,
  upstreamTable,
} from "./upstream.ts"
export {
  type Address,
  addressField,
  addressParts,
  businessFields,
  lineAddress,
  schemaAddress,
} from "./vocabulary/business.ts"
export {
  amountOf,
  byStars,
  countsByStars,
  discountOf,
  namedValues,
  positive,
  priceOrNull,
  priceRange,
  productField,
  productFields,
  ratingOf,
  ratingOrNull,
  stockOf,
} from "./vocabulary/product.ts"
export { knownFacts, listing, listingFields, schools } from "./vocabulary/real-estate.ts"
export {
  keywordsOf,
  newestVersions,
  packageName,
  registryFields,
  textsByKey,
  versionsStored,
} from "./vocabulary/registry.ts"
export {
  datedReply,
  ratingsOf,
  reviewField,
  reviewFields,
  starsOf,
  unquoted,
} from "./vocabulary/review.ts"
export { contactEmail, doiOf } from "./vocabulary/scholarly.ts"
export {
  imageOf,
  runtimeMinutes,
  scoreOf,
  screenNode,
  textsOf,
} from "./vocabulary/screen.ts"
export {
  cookiesOf,
  distinctQueries,
  distinctTargets,
  eachOf,
  failsRun,
  having,
  hitFields,
  identifyQuery,
  namedInText,
  recordFields,
  redirectTarget,
  sizeAt,
  sizeFields,
} from "./vocabulary/social.ts"
export { type Condition, conditionKinds, conditionSchema, type Watch } from "./watch.ts"
