import { CookieJar, getPublicSuffix } from "tough-cookie"
import {
  Changed,
  type PageAction,
  type RenderedResponse,
  ScrapeError,
} from "../../../catalogue/kit/index.ts"
import type { Browser, LeasedTab } from "../../fetch/environment.ts"
import type { EgressRules } from "../http/proxy-rules.ts"
import { type Pacing, withinRateLimit } from "../rate-limits/rate-limited-transport.ts"
import { cookiesIn } from "./session-jar.ts"
import { hostOf, isEmpty, type OriginStorage, type SessionState, withinHosts } from "./state.ts"

/** A step of a log-in recipe. A `fill` has a text or the name of a secret. */
type LoginStep =
  | { type: "goto"; url: string }
  | { type: "fill"; selector: string; text?: string; secret?: string }
  | { type: "click"; selector: string }
  | { type: "press"; key: string }
  | { type: "wait"; selector?: string; milliseconds?: number }

/** A log-in in Chrome. */
export interface LoginRecipe {
  steps: LoginStep[]
  /** Secret texts of `fill` steps by name. */
  secrets: Record<string, string>
}

export interface LoginParts {
  browser: Browser
  /** Rate limits; undefined if there are none. */
  pacing?: Pacing
  exit: EgressRules
  signal: AbortSignal
  now(): number
}

const deadlineMs = 90_000
const passwordField = /<input\b[^>]{0,500}?\btype\s*=\s*["']?password\b/i

/** Returns the site of a host: its registrable domain, or the host itself. */
export const siteOfHost = (host: string): string =>
  getPublicSuffix(host, { ignoreError: true }) ?? host

/**
 * Logs in with a recipe in a Chrome context of its own. Returns the cookies and local storage of
 * these hosts. @throws ScrapeError that names the step
 */
export async function logIn(
  { steps, secrets }: LoginRecipe,
  hosts: readonly string[],
  { browser, pacing, exit, signal, now }: LoginParts,
): Promise<SessionState> {
  const jar = new CookieJar(undefined, { looseMode: true })
  const lease = { signal, jar, exit, unlocker: false, deadlineMs, log: () => {} }
  const origins = new Map<string, OriginStorage>()
  try {
    await browser.lease(lease, async (tab) => {
      const page = await performed(
        tab,
        steps,
        secrets,
        (url) => {
          const open = () => tab.goto(url)
          return pacing ? withinRateLimit(pacing, url, signal, open) : open()
        },
        origins,
      )
      requireLoggedIn(page, steps)
    })
    const cookies = await cookiesIn(jar, sitesOf(hosts), now())
    const state = withinHosts({ cookies, origins: [...origins.values()] }, hosts)
    if (isEmpty(state)) {
      throw new Changed(
        `There are no cookies after the last step for ${hosts.join(", ")}. Check "hosts" and the steps.`,
      )
    }
    return state
  } finally {
    await browser.release?.(jar)
  }
}

/** Cookies of a parent domain are limited to the hosts later. */
const sitesOf = (hosts: readonly string[]) => hosts.map(siteOfHost)

async function performed(
  tab: LeasedTab,
  steps: readonly LoginStep[],
  secrets: LoginRecipe["secrets"],
  open: (url: string) => Promise<RenderedResponse>,
  origins: Map<string, OriginStorage>,
): Promise<RenderedResponse | undefined> {
  let page: RenderedResponse | undefined
  for (const [index, step] of steps.entries()) {
    try {
      page =
        step.type === "goto"
          ? await open(step.url)
          : await tab.finish({ actions: [actionOf(step, secrets)] }, true)
    } catch (error) {
      throw failedAt(index, step, error)
    }
    const storage = await tab.storage?.()
    if (storage) origins.set(storage.origin, storage)
  }
  return page
}

function actionOf(
  step: Exclude<LoginStep, { type: "goto" }>,
  secrets: LoginRecipe["secrets"],
): PageAction {
  if (step.type !== "fill") return step
  const { selector, text, secret } = step
  return { type: "type", selector, text: (secret === undefined ? text : secrets[secret]) ?? "" }
}

/** Adds the step's position to an error; actions report positions in their own list. */
function failedAt(index: number, { type }: LoginStep, error: unknown): unknown {
  if (!(error instanceof ScrapeError)) return error
  const why = error.message.replace(/^actions\[0\](?: \(\w+\))?:? ?/, "")
  return new Changed(`steps[${index}] (${type}): ${why}`, {
    ...(error.url === undefined ? {} : { url: error.url }),
  })
}

/**
 * Checks that the log-in worked; a recipe that ends with `wait` has already checked it with its
 * selector.
 */
function requireLoggedIn(page: RenderedResponse | undefined, steps: readonly LoginStep[]): void {
  const last = steps.at(-1)
  if (!page || (last?.type === "wait" && last.selector !== undefined)) return
  if (!passwordField.test(page.text())) return
  throw new Changed(
    `After the last step, ${hostOf(page.url)} still asks for a password. Check the secrets and selectors, or end with a "wait" for a selector of the page after the log-in.`,
    { url: page.url },
  )
}
