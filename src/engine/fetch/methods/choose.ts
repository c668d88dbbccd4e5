import {
  type AnyScraper,
  type AttemptMethod,
  type FetchMethod,
  fetchMethods,
  fetchMethodsOf,
} from "../../../catalogue/kit/index.ts"
import type { Environment } from "../environment.ts"
import { browser } from "./browser.ts"
import { http } from "./http.ts"
import { isFetchMethod, strategies } from "./index.ts"

/** Returns whether a fetch method is set up. */
export const isAvailable = (method: FetchMethod, environment: Environment) =>
  strategies[method].isAvailable(environment)

/** Returns the fetch methods of a scraper that are available, or its first if none of them is. */
export function methodsOf(
  scraper: Pick<AnyScraper, "fetchMethods">,
  input: unknown,
  environment: Environment,
): readonly FetchMethod[] {
  if (environment.onlyMethod) return [environment.onlyMethod]
  const flags = (input ?? {}) as Record<string, unknown>
  const selected = fetchMethods.find((method) => {
    const { inputFlag } = strategies[method]
    return inputFlag !== undefined && flags[inputFlag] === true
  })
  if (selected) return [selected]
  const declared = fetchMethodsOf(scraper)
  const available = declared.filter((method) => isAvailable(method, environment))
  // After Chrome's connection was refused, plain HTTP would look even more like a bot.
  const useful = available.filter(
    (method, at) => !isOwn(method) || !available.slice(0, at).some(isBrowserHttp),
  )
  // If no method is available, the first one's error names the missing part.
  return useful.length > 0 ? useful : declared.slice(0, 1)
}

const isOwn = (method: FetchMethod) =>
  strategies[method].connection === "own" && !strategies[method].rendersPages

const isBrowserHttp = (method: FetchMethod) => strategies[method].connection === "browser"

/** Returns the more capable of two fetch methods, in the order of `fetchMethods`. */
export const stronger = (one: FetchMethod, other: FetchMethod | undefined): FetchMethod =>
  other && fetchMethods.indexOf(other) > fetchMethods.indexOf(one) ? other : one

/**
 * Returns the methods by which Chrome can render; Chrome itself if there is none, for its error
 * message.
 */
export function renderingMethods(methods: readonly FetchMethod[]): readonly FetchMethod[] {
  const rendering = methods.filter((method) => {
    const { rendersPages, connection } = strategies[method]
    return rendersPages || connection === "service"
  })
  return rendering.length > 0 ? rendering : [browser.name]
}

/** Returns the methods of requests that render nothing; plain HTTP if there is none. */
export function requestingMethods(methods: readonly FetchMethod[]): readonly FetchMethod[] {
  const requesting = methods.filter((method) => !strategies[method].rendersPages)
  return requesting.length > 0 ? requesting : [http.name]
}

/** Returns whether a refusal only by status may be caused by the TLS hello or headers. */
export const retriesRefusals = (
  first: AttemptMethod | undefined,
  next: AttemptMethod | undefined,
) => first !== undefined && isFetchMethod(first) && isOwn(first) && isBrowserConnection(next)

/** Returns whether a method has Chrome's connection but executes no scripts. */
export const isBrowserConnection = (method: AttemptMethod | undefined) =>
  method !== undefined && isFetchMethod(method) && isBrowserHttp(method)

/** Returns whether Chrome renders pages by one of the methods. */
export const rendersAny = (methods: readonly FetchMethod[]) =>
  methods.some((method) => strategies[method].rendersPages)

/** Returns whether a challenge that Chrome's requests meet can be cleared by rendering a page. */
export const canClearChallenges = (methods: readonly FetchMethod[]) =>
  methods.some(isBrowserHttp) && rendersAny(methods)
