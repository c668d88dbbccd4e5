import { type Access, type AnyScraper, accessOf } from "../../catalogue/kit/index.ts"
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
  const open = access.filter((way) => isHere[way](environment))
  // Without the only way in, its own error says what is missing.
  return open.length > 0 ? open : access.slice(0, 1)
}
