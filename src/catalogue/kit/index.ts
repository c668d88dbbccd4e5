/** What a scraper is, and what it is made with: the one import of engine and content. */
import "./outcome-crossing.ts"

export {
  actionsInput,
  actionsOf,
  checkActions,
  type PageAction,
  readingActionsInput,
} from "./actions.ts"
export { briefText } from "./brief.ts"
export { once, orByCall, orNull, partFailed } from "./calls.ts"
export {
  type Canary,
  type CanaryExpectation,
  readExpectation,
} from "./canary.ts"
export { bareSchemaAs, coerced, emptyWith, entriesOfObject } from "./coerce.ts"
export {
  type Access,
  type ActionResults,
  type Answer,
  accesses,
  besideWays,
  type Context,
  type DataOptions,
  type DocumentFile,
  type FileToKeep,
  type JsonOptions,
  type KeptFile,
  type ModelAnswer,
  type ModelAsked,
  type ModelUsage,
  type PageOptions,
  type PageView,
  type PdfAsked,
  type Refusal,
  type RenderedAnswer,
  type RenderOptions,
  type RequestOptions,
  type Rung,
  type ScreenshotAsked,
  type Shots,
  type Step,
  type Steps,
  type Tab,
  type Target,
  type TlsPeer,
  type Wanted,
} from "./context.ts"
export {
  booleanField,
  discontinued,
  inputObject,
  integerField,
  itemObject,
  nullable,
  numberField,
  oneOf,
  textField,
  textsField,
} from "./fields.ts"
export {
  type CheckedInput,
  checkInput,
  expectation,
  expectedWords,
  type InputFault,
  inputFromQuery,
  mostFaults,
} from "./input.ts"
export { given, inputs } from "./inputs.ts"
export { parseJson } from "./json.ts"
export { listField } from "./list-field.ts"
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
  Outcome,
  OutOfCredit,
  RateLimited,
  RobotsDisallowed,
  StaleKey,
  Timeout,
  TooLarge,
  TooManyRedirects,
  Unreachable,
  UnsupportedContent,
  UpstreamError,
} from "./outcome.ts"
export { ownAddress } from "./own-address.ts"
export {
  type OwnField,
  ownFieldsOf,
  schemaOfRow,
  schemaWithOwn,
} from "./own-fields.ts"
export { cursor, numbered, offset } from "./paging.ts"
export { parseError, unreadable } from "./parse-error.ts"
export { css, field, type Row, record, required, type Source } from "./record.ts"
export { isBare, isMarkup, readOnce, refusedPage, refusedRequest } from "./refusal.ts"
export { readRows } from "./rows.ts"
export { type AnyScraper, accessOf, categories, defineScraper, type HostPace } from "./scraper.ts"
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
  rangeIn,
  schemaAddress,
} from "./vocabulary/business.ts"
export { repairMojibake } from "./vocabulary/jobs.ts"
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
  documentationNames,
  downloads,
  homepageNames,
  issueNames,
  keywordsOf,
  linkNamed,
  registryFields,
  repositoryAmong,
  repositoryNames,
  textsByKey,
} from "./vocabulary/registry.ts"
export {
  datedReply,
  ratingsOf,
  reviewField,
  reviewFields,
  starsOf,
  unquoted,
  writtenDay,
} from "./vocabulary/review.ts"
export { contactEmail, doiOf, plainAbstract, plainTitle } from "./vocabulary/scholarly.ts"
export {
  pictureOf,
  runtimeMinutes,
  scoreOf,
  screenNode,
  textsOf,
} from "./vocabulary/screen.ts"
export { type NamedLink, siteOf } from "./vocabulary/search.ts"
export {
  cookiesOf,
  decodedPath,
  distinctQueries,
  distinctTargets,
  eachOf,
  failsRun,
  having,
  hitFields,
  identifyQuery,
  ledTo,
  namedInText,
  recordFields,
  sizeAt,
  sizeFields,
} from "./vocabulary/social.ts"
export type { Proof, Sign, Suspect, Wall } from "./wall.ts"
export { type Condition, conditionKinds, conditionSchema, type Watch } from "./watch.ts"
export { actionResultField, keepActionResults } from "./web/action-results.ts"
export { documentField, documentParts, fileOf, mainRoot } from "./web/documents.ts"
export { allEntries, feedIn, openFeed, shownFeedUrl } from "./web/feed-pages.ts"
export {
  identifyPage,
  openAddress,
  openPage,
  pageAddress,
  pageAddresses,
  pageFailure,
  pageFields,
  pageTypeField,
  requireWhole,
} from "./web/pages.ts"
export {
  isEmbedded,
  isErrorPage,
  isReadable,
  isTold,
  readable,
  told,
  wallOf,
} from "./web/readable.ts"
export { withScripts } from "./web/scant.ts"
export { searchFeed } from "./web/search-feed.ts"
export {
  checkShots,
  keepShots,
  pictureField,
  shotFields,
  shotFormats,
  shotForms,
  shotInputs,
  shotsOf,
} from "./web/shots.ts"
export { isHtml, leadsTo } from "./web/stubs.ts"
