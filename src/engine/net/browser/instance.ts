import puppeteer, {
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Page,
} from "puppeteer-core"
import { messageOf } from "../../../base/error-message.ts"
import { Forbidden } from "../../../catalogue/kit/index.ts"
import type { ContextCookies } from "./cookies.ts"
import { lacksWindow } from "./find.ts"
import type { GuardProxy } from "./guard-proxy.ts"
import { type ChromeIdentity, type IdentityStore, readIdentity } from "./identity.ts"
import { type LaunchedChrome, launchChrome, type OnChrome, windowOf } from "./launch.ts"
import { browserLost, chromeGone } from "./lease-end.ts"
import { missingLibraries, missingWords } from "./libraries.ts"
import type { TabTransports } from "./net/tab-transports.ts"
import { type RemoteAddress, withoutAddresses } from "./pool/addresses.ts"
import { Popups } from "./popups.ts"
import { RendererWatch } from "./renderer-watch.ts"
import type { RequestGate } from "./request-gate.ts"
import { type SupplySettings, supplyChrome } from "./supply/supply.ts"
import { requireNoUdp, UdpLeak } from "./udp-probe.ts"

export interface InstanceSettings extends SupplySettings {
  /** Flags in addition to our own; they take precedence. */
  chromeArgs?: readonly string[]
  /** With a window, on the display of the environment. */
  isHeaded?: boolean
  /** Pages do not see by `navigator.webdriver` that a program is at work. */
  hidesWebdriver?: boolean
  /** A page whose process takes more memory is ended. Default: 1 GiB. */
  pageBytes?: number
  /** Where Chrome's identity is kept. */
  identity?: IdentityStore
  /** For the caller that must end a Chrome when this thread cannot. */
  onChrome?: OnChrome
  /** Receives messages for the operator. */
  onNote?(message: string): void
}

export interface OpenTab {
  page: Page
  /** Leases that it has served. */
  served: number
  /** Of the lease before. */
  gate?: RequestGate | undefined
}

export interface OwnerContext {
  context: BrowserContext
  /** Its way to the network; a browser elsewhere has its own. */
  proxy?: GuardProxy
  free: OpenTab[]
  /** Tabs that show nothing, for requests without a page. */
  tabTransports: TabTransports
  cookies: ContextCookies
  leases: number
  /** Whether a page was shown in it. */
  hasVisible: boolean
  usedAt: number
  /** Closes the context, and its own way out. */
  close(): Promise<void>
}

/** One Chrome and what is open in it. */
export interface Instance {
  browser: Browser
  /** With the browser as a whole. */
  cdp: CDPSession
  end(): Promise<void>
  proxy?: GuardProxy
  identity: ChromeIdentity
  contexts: Map<string, OwnerContext>
  pages: number
  leases: number
  /** Takes no new leases; ends with its last one. */
  retired: boolean
  /** Aborted when Chrome ended. */
  gone: AbortSignal
  popups: Popups
  renderers?: RendererWatch
}

const defaultPageBytes = 1024 ** 3
/** For a browser elsewhere to answer, and to say who it is. */
const connectMs = 10_000
/** A Chrome that was killed while it started is started once more. */
const launches = 2

/** Starts a Chrome whose only way out is the guard. @throws Forbidden (browser_unavailable) */
export async function startInstance(
  settings: InstanceSettings,
  proxy: GuardProxy,
): Promise<Instance> {
  const path = await supplyChrome(settings, settings.onNote ?? (() => {}))
  const lacking = settings.isHeaded ? lacksWindow(path, settings.chromeArgs) : undefined
  if (lacking) {
    throw new Forbidden(`Chrome at ${path} was not started: ${lacking}`, {
      code: "browser_unavailable",
    })
  }
  for (let launch = 1; ; launch++) {
    try {
      const popups = new Popups()
      const kind = [path, ...(settings.chromeArgs ?? [])].join(" ")
      const launched = await launchPlain(path, kind, settings, {
        proxyPort: proxy.port,
        takesOn: popups.takesOn,
      })
      return await watched(launched, popups, settings, proxy, kind)
    } catch (error) {
      if (error instanceof UdpLeak) {
        throw new Forbidden(`Chrome at ${path} is not used: ${error.message}`, {
          code: "browser_unavailable",
        })
      }
      if (launch < launches) continue
      const [reason] = messageOf(error).split("\n")
      // A program that cannot be loaded ends without an error that we can read.
      const missing = missingLibraries(path)
      const why = missing ? missingWords(missing) : reason
      throw new Forbidden(`Chrome at ${path} did not start: ${why}`, {
        code: "browser_unavailable",
      })
    }
  }
}

/** Identities of Chromes without the word Headless, by their path and flags. */
const identities = new Map<string, ChromeIdentity>()

interface PlainChrome {
  launched: LaunchedChrome
  identity: ChromeIdentity
}

/**
 * Starts a Chrome that does not say Headless, for which sites refuse it. Only a flag at its start reaches
 * shared and service workers. The flag empties Chrome's client hints, so each tab sets them again:
 * a Chrome whose identity is not known yet is started twice.
 */
async function launchPlain(
  path: string,
  kind: string,
  { chromeArgs = [], identity: store, isHeaded, hidesWebdriver, onChrome }: InstanceSettings,
  options: { proxyPort: number; takesOn: Popups["takesOn"] },
): Promise<PlainChrome> {
  const window = windowOf(path, isHeaded)
  const launch = (agent?: string) =>
    launchChrome(path, { ...options, args: chromeArgs, agent, window, hidesWebdriver, onChrome })
  const isOperators = chromeArgs.some((flag) => flag.startsWith("--user-agent="))
  const known = identities.get(kind) ?? store?.load()
  // Earlier versions kept the identity of a Chrome whose hints were empty.
  if (known && (known.override || window !== "none" || isOperators)) {
    const launched = await launch(window === "none" ? known.override?.userAgent : undefined)
    const isSame = known.version === (await orEnd(launched, launched.browser.version()))
    if (isSame) return { launched, identity: known }
    await launched.end()
  }
  const launched = await launch()
  const identity = await orEnd(launched, readIdentity(launched.browser))
  identities.set(kind, identity)
  store?.save(identity)
  if (!identity.override || isOperators) return { launched, identity }
  await launched.end()
  return { launched: await launch(identity.override.userAgent), identity }
}

/** What a Chrome answers; one that fails is ended. */
async function orEnd<T>({ end }: LaunchedChrome, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await end()
    throw error
  }
}

/** A browser that runs elsewhere, and goes its own way to the network. */
export async function connectInstance(
  settings: InstanceSettings,
  { name, url }: RemoteAddress,
): Promise<Instance> {
  const popups = new Popups()
  const gone = new AbortController()
  const lose = () => gone.abort(browserLost(name, "closed the connection."))
  const connecting = connected(url, popups)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error("does not answer.")), connectMs)
  const made = connecting.then(async (browser) => {
    const end = async () => {
      // The caller that ends it must know that before the disconnect is reported.
      await Promise.resolve()
      lose()
      await browser.disconnect()
    }
    const identity = await identityOf(browser, settings.identity)
    return instanceOf(browser, popups, identity, { end, gone, lose })
  })
  try {
    return await Promise.race([made, late])
  } catch (error) {
    // It may still respond after the wait has ended.
    connecting.then((browser) => browser.disconnect()).catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function connected(browserWSEndpoint: string, popups: Popups): Promise<Browser> {
  const options = { browserWSEndpoint, targetFilter: popups.takesOn, defaultViewport: null }
  return puppeteer.connect(options).catch((error) => {
    throw new Error(`does not answer (${withoutAddresses(messageOf(error))}).`)
  })
}

async function watched(
  { launched, identity }: PlainChrome,
  popups: Popups,
  settings: InstanceSettings,
  proxy: GuardProxy,
  kind: string,
): Promise<Instance> {
  const { browser, end } = launched
  try {
    const gone = new AbortController()
    const lose = () => gone.abort(chromeGone())
    const instance = await instanceOf(browser, popups, identity, { end, gone, lose })
    await requireNoUdp(browser, kind)
    instance.proxy = proxy
    instance.renderers = new RendererWatch({
      cdp: await browser.target().createCDPSession(),
      limitBytes: settings.pageBytes ?? defaultPageBytes,
      isBusy: () => instance.leases > 0,
    })
    return instance
  } catch (error) {
    await end()
    throw error
  }
}

async function instanceOf(
  browser: Browser,
  popups: Popups,
  identity: ChromeIdentity,
  { end, gone, lose }: { end(): Promise<void>; gone: AbortController; lose(): void },
): Promise<Instance> {
  browser.once("disconnected", lose)
  const cdp = await browser.target().createCDPSession()
  popups.start(cdp)
  const instance: Instance = {
    browser,
    cdp,
    async end() {
      instance.renderers?.stop()
      await end()
    },
    identity,
    contexts: new Map(),
    popups,
    pages: 0,
    leases: 0,
    retired: false,
    gone: gone.signal,
  }
  return instance
}

/** What is kept holds for this very version; any other Chrome is asked. */
async function identityOf(browser: Browser, store?: IdentityStore): Promise<ChromeIdentity> {
  const known = store?.load()
  const isOfLaunch = known?.agent === (await browser.userAgent())
  if (known && isOfLaunch && known.version === (await browser.version())) return known
  const identity = await readIdentity(browser)
  store?.save(identity)
  return identity
}
