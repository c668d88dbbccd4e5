import puppeteer, {
  type Browser,
  type BrowserContext,
  type CDPSession,
  type Page,
} from "puppeteer-core"
import { messageOf } from "../../../../base/error-message.ts"
import { Forbidden } from "../../../../catalogue/kit/index.ts"
import { browserLost, chromeGone } from "../lease/lease-end.ts"
import { type RemoteAddress, withoutAddresses } from "../lease/remote-addresses.ts"
import type { TabTransports } from "../net/tab-transports.ts"
import type { ContextCookies } from "../page/cookies.ts"
import { Popups } from "../page/popups.ts"
import type { RequestGate } from "../page/request-gate.ts"
import type { EgressProxy } from "../pool/egress-proxy.ts"
import { lacksWindow } from "../supply/find.ts"
import { type SupplySettings, supplyChrome } from "../supply/supply.ts"
import { type ChromeIdentity, type IdentityStore, readIdentity } from "./identity.ts"
import { type LaunchedChrome, launchChrome, type OnChrome, windowOf } from "./launch.ts"
import { missingLibraries, missingWords } from "./libraries.ts"
import { RendererWatch } from "./renderer-watch.ts"
import { requireNoUdp, UdpLeak } from "./udp-probe.ts"

export interface InstanceSettings extends SupplySettings {
  /** Additional flags, which take precedence. */
  chromeArgs?: readonly string[]
  /** Opens windows on the environment's display. */
  isHeaded?: boolean
  /** Hides automation from `navigator.webdriver`. */
  hidesWebdriver?: boolean
  /** Maximum memory of a page's process before it is ended. Default: 1 GiB. */
  pageBytes?: number
  /** Storage of Chrome's identity. */
  identity?: IdentityStore
  /** For the caller that must end a Chrome when this thread cannot. */
  onChrome?: OnChrome
  /** Receives messages for the operator. */
  onNote?(message: string): void
}

export interface OpenTab {
  page: Page
  /** Number of leases served. */
  served: number
  /** Request gate of the previous lease. */
  gate?: RequestGate | undefined
}

export interface OwnerContext {
  context: BrowserContext
  /** Its filtering proxy; a remote browser has none here. */
  proxy?: EgressProxy
  free: OpenTab[]
  /** Tabs for requests without a page. */
  tabTransports: TabTransports
  cookies: ContextCookies
  leases: number
  /** Whether it has displayed a page. */
  hasVisible: boolean
  usedAt: number
  /** Closes the context and its proxy. */
  close(): Promise<void>
}

/** One Chrome and its contexts. */
export interface Instance {
  browser: Browser
  /** CDP session of the browser. */
  cdp: CDPSession
  end(): Promise<void>
  proxy?: EgressProxy
  identity: ChromeIdentity
  contexts: Map<string, OwnerContext>
  pages: number
  leases: number
  /** Accepts no new leases, and ends after the last one. */
  retired: boolean
  /** Aborted when Chrome has ended. */
  gone: AbortSignal
  popups: Popups
  renderers?: RendererWatch
}

const defaultPageBytes = 1024 ** 3
/** Milliseconds for a remote browser to respond and identify itself. */
const connectMs = 10_000
const chromeHelp = "The operator can check it with `trawl doctor`."
/** Attempts to start a Chrome that is killed while it starts. */
const launches = 2

/**
 * Starts a Chrome whose only path to the network is the egress filter. @throws Forbidden
 * (browser_unavailable)
 */
export async function startInstance(
  settings: InstanceSettings,
  proxy: EgressProxy,
): Promise<Instance> {
  const path = await supplyChrome(settings, settings.onNote ?? (() => {}))
  const lacking = settings.isHeaded ? lacksWindow(path, settings.chromeArgs) : undefined
  if (lacking) {
    throw new Forbidden(`Chrome at ${path} was not started: ${lacking}`, {
      code: "browser_unavailable",
      nextStep: chromeHelp,
    })
  }
  for (let launch = 1; ; launch++) {
    try {
      const popups = new Popups()
      const kind = [path, ...(settings.chromeArgs ?? [])].join(" ")
      const launched = await launchPlain(path, kind, settings, {
        proxyPort: proxy.port,
        accepts: popups.accepts,
      })
      return await watched(launched, popups, settings, proxy, kind)
    } catch (error) {
      if (error instanceof UdpLeak) {
        throw new Forbidden(`Chrome at ${path} is not used: ${error.message}`, {
          code: "browser_unavailable",
          nextStep: chromeHelp,
        })
      }
      if (launch < launches) continue
      const [reason] = messageOf(error).split("\n")
      // A program that cannot be loaded ends without a readable error.
      const missing = missingLibraries(path)
      const why = missing ? missingWords(missing) : reason
      throw new Forbidden(`Chrome at ${path} did not start: ${why}`, {
        code: "browser_unavailable",
        nextStep: chromeHelp,
      })
    }
  }
}

/** Identities of Chrome without the word Headless, by path and flags. */
const identities = new Map<string, ChromeIdentity>()

interface PlainChrome {
  launched: LaunchedChrome
  identity: ChromeIdentity
}

/**
 * Starts a Chrome without the word Headless, which sites refuse. Only a flag at startup reaches
 * shared and service workers. The flag empties Chrome's client hints, so each tab sets them again;
 * a Chrome whose identity is unknown is started twice.
 */
async function launchPlain(
  path: string,
  kind: string,
  { chromeArgs = [], identity: store, isHeaded, hidesWebdriver, onChrome }: InstanceSettings,
  options: { proxyPort: number; accepts: Popups["accepts"] },
): Promise<PlainChrome> {
  const window = windowOf(path, isHeaded)
  const launch = (agent?: string) =>
    launchChrome(path, { ...options, args: chromeArgs, agent, window, hidesWebdriver, onChrome })
  const isOperators = chromeArgs.some((flag) => flag.startsWith("--user-agent="))
  const known = identities.get(kind) ?? store?.load()
  // Earlier versions stored the identity of a Chrome with empty hints.
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

/** Returns Chrome's result; ends a Chrome that fails. */
async function orEnd<T>({ end }: LaunchedChrome, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await end()
    throw error
  }
}

/** Connects to a remote browser, which has its own path to the network. */
export async function connectInstance(
  settings: InstanceSettings,
  { name, url }: RemoteAddress,
): Promise<Instance> {
  const popups = new Popups()
  const gone = new AbortController()
  const lose = () => gone.abort(browserLost(name, "closed the connection."))
  const connecting = connected(url, popups)
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error("did not respond.")), connectMs)
  const made = connecting.then(async (browser) => {
    const end = async () => {
      // The caller that ends it must be able to note that before the disconnect is reported.
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
    // The browser may still respond after the timeout.
    connecting.then((browser) => browser.disconnect()).catch(() => {})
    throw error
  } finally {
    clearTimeout(timer)
  }
}

function connected(browserWSEndpoint: string, popups: Popups): Promise<Browser> {
  const options = { browserWSEndpoint, targetFilter: popups.accepts, defaultViewport: null }
  return puppeteer.connect(options).catch((error) => {
    throw new Error(`does not respond (${withoutAddresses(messageOf(error))}).`)
  })
}

async function watched(
  { launched, identity }: PlainChrome,
  popups: Popups,
  settings: InstanceSettings,
  proxy: EgressProxy,
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

/**
 * A stored identity is valid only for the same version; otherwise Chrome is asked. Earlier versions stored
 * overrides with the whole version, which Chrome with a window does not send.
 */
async function identityOf(browser: Browser, store?: IdentityStore): Promise<ChromeIdentity> {
  const known = store?.load()
  const isOfLaunch = known?.agent === (await browser.userAgent())
  const isOld = /Chrome\/\d+\.\d+\.[1-9]/.test(known?.override?.userAgent ?? "")
  if (known && isOfLaunch && !isOld && known.version === (await browser.version())) return known
  const identity = await readIdentity(browser)
  store?.save(identity)
  return identity
}
