import {
  type AnyScraper,
  type FetchMethod,
  fetchMethods,
  fetchMethodsOf,
} from "../../catalogue/kit/index.ts"
import type { Environment } from "./environment.ts"

/** Whether a way in is set up here. */
export const isHere: Record<FetchMethod, (environment: Environment) => boolean> = {
  http: () => true,
  "browser-http": ({ browser }) => browser?.fetch !== undefined && browser.available?.() !== false,
  browser: ({ browser }) => browser !== undefined && browser.available?.() !== false,
  unlocker: ({ unlocker }) => unlocker !== undefined,
}

/** The ways in that a definition states, as far as they are here; all, where none of them is. */
export function methodsOf(
  scraper: Pick<AnyScraper, "fetchMethods">,
  input: unknown,
  environment: Environment,
): readonly FetchMethod[] {
  if (environment.onlyMethod) return [environment.onlyMethod]
  if ((input as { useUnlocker?: unknown } | null)?.useUnlocker === true) return ["unlocker"]
  const fetchMethods = fetchMethodsOf(scraper)
  const here = fetchMethods.filter((fetchMethod) => isHere[fetchMethod](environment))
  const open = here.filter(
    (fetchMethod, at) => fetchMethod !== "http" || !here.slice(0, at).includes("browser-http"),
  )
  // Without the only way in, its own error says what is missing.
  return open.length > 0 ? open : fetchMethods.slice(0, 1)
}

/** The stronger of two ways, as `accesses` has them. */
export function stronger(one: FetchMethod, other: FetchMethod | undefined): FetchMethod {
  return other && fetchMethods.indexOf(other) > fetchMethods.indexOf(one) ? other : one
}

/** The ways without one that cannot do it; where no other is left, the one that tells what is missing. */
export function besides(
  fetchMethod: FetchMethod,
  methods: readonly FetchMethod[],
  otherwise: FetchMethod,
): readonly FetchMethod[] {
  const others = methods.filter((other) => other !== fetchMethod)
  return others.length > 0 ? others : [otherwise]
}
