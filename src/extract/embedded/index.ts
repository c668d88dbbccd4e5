/** JSON that pages carry in their scripts, and how to read it safely. */
export { ApolloCache, apolloCache, fieldKeys } from "./apollo.ts"
export { initData } from "./init-data.ts"
export {
  allJsonAfter,
  apolloData,
  at,
  balancedText,
  endOfString,
  findKey,
  findObjects,
  jsonAfter,
  mergeParts,
  nextState,
  parseGuarded,
  parseLiteral,
  parseLoose,
  scriptJson,
  unwrapJson,
} from "./json-in-text.ts"
export { JsonReader, type Path } from "./json-reader.ts"
export { pageStates } from "./page-state.ts"
