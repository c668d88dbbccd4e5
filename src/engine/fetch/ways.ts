import { type Access, type AnyScraper, accesses, accessOf } from "../../catalogue/kit/index.ts"
import type { Environment } from "../environment/environment.ts"

/** Whether a way in is set up here. */
export const isHere: Record<Access, (environment: Environment) => boolean> = {
  http: () => true,
  "chrome-net": ({ browser }) => browser?.fetch !== undefined && browser.available?.() !== false,
  browser: ({ browser }) => browser !== undefined && browser.available?.() !== false,
  unlocker: ({ unlocker }) => unlocker !== undefined,
}

/** The ways in that a definition states, as far as they are here; all, where none of them is. */
export function waysOf(
  scraper: Pick<AnyScraper, "access">,
  input: unknown,
  environment: Environment,
): readonly Access[] {
  if (environment.onlyWay) return [environment.onlyWay]
  if ((input as { useUnlocker?: unknown } | null)?.useUnlocker === true) return ["unlocker"]
  const access = accessOf(scraper)
  const here = access.filter((way) => isHere[way](environment))
  const open = here.filter((way, at) => way !== "http" || !here.slice(0, at).includes("chrome-net"))
  // Without the only way in, its own error says what is missing.
  return open.length > 0 ? open : access.slice(0, 1)
}

/** The stronger of two ways, as `accesses` has them. */
export function stronger(one: Access, other: Access | undefined): Access {
  return other && accesses.indexOf(other) > accesses.indexOf(one) ? other : one
}

/** The ways without one that cannot do it; where no other is left, the one that tells what is missing. */
export function besides(
  way: Access,
  ways: readonly Access[],
  otherwise: Access,
): readonly Access[] {
  const others = ways.filter((other) => other !== way)
  return others.length > 0 ? others : [otherwise]
}
