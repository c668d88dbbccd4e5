import puppeteer, { type Browser, type Target } from "puppeteer-core"
import { workApart } from "../page/isolated-worlds.ts"
import { isHeadlessShell, isRoot } from "../supply/find.ts"
import { killGroup, makeChromeFolder } from "./chrome-folder.ts"
import { withOperatorFlags } from "./operator-flags.ts"

workApart()

/**
 * Flags that disable Chrome's own requests, and its paths to the network other than the proxy:
 * loopback (which Chrome would exempt), DNS and WebRTC.
 */
function flags({ proxyPort, agent, window, hidesWebdriver }: LaunchOptions): string[] {
  return [
    ...(agent ? [`--user-agent=${agent}`] : []),
    ...(hidesWebdriver ? ["--disable-blink-features=AutomationControlled"] : []),
    ...windowFlags[window],
    ...(isRoot() ? ["--no-sandbox"] : []),
    `--proxy-server=127.0.0.1:${proxyPort}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    // Chrome reads the first name, the headless shell the second (version 156).
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    // Chrome's remaining own requests go to a port on which nothing listens.
    `--component-updater=url-source=${nowhere}`,
    `--gaia-url=${nowhere}`,
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    // Without RenderDocument, a navigation within a site creates no frame beforehand, so that
    // transports cost a third to open and abort.
    "--disable-features=NetworkTimeServiceQuerying,Translate,OptimizationHints,MediaRouter,InterestFeedContentSuggestions,AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,BackForwardCache,Prerender2,SpareRendererForSitePerProcess,RenderDocument",
    "--metrics-recording-only",
    "--mute-audio",
    "--hide-scrollbars",
    "--lang=en-US",
    "--window-size=1366,900",
  ]
}

/** Without a display, Chrome has no pointing device. */
const desktopPointer =
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"

/**
 * Chrome's windows: on the display, not drawn, or none. A Chrome without windows contains Headless
 * in its user agent, and with another user agent it has no client hints.
 */
export type ChromeWindow = "shown" | "undrawn" | "none"

/** Like Chrome without windows: WebGL without a graphics card. */
const softwareWebGl = ["--use-angle=swiftshader-webgl", "--enable-unsafe-swiftshader"]

const windowFlags: Record<ChromeWindow, readonly string[]> = {
  shown: process.platform === "linux" ? softwareWebGl : [],
  undrawn: [
    desktopPointer,
    "--ozone-platform=headless",
    "--ozone-override-screen-size=1920,1080",
    "--window-position=0,0",
    ...softwareWebGl,
    // Invisible dialogs must not block anything.
    "--noerrdialogs",
    "--kiosk-printing",
    "--hide-crash-restore-bubble",
  ],
  // Without this flag, the headless shell sends no language. It would send two without a weight.
  none: [desktopPointer, "--screen-info={1920x1080}", "--accept-lang=en-US"],
}

/** Chrome for Linux can run windows without drawing them; the headless shell has none. */
export function windowOf(path: string, isHeaded = false): ChromeWindow {
  if (isHeaded) return "shown"
  return process.platform === "linux" && !isHeadlessShell(path) ? "undrawn" : "none"
}

const nowhere = "http://127.0.0.1:1/"

/** Environment variables for Chrome. Pages are untrusted, so keys and tokens are not passed. */
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  // For the window in headed mode.
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR",
  "LD_LIBRARY_PATH",
  "FONTCONFIG_FILE",
  "FONTCONFIG_PATH",
  // Windows cannot start a program without these.
  "SYSTEMROOT",
  "WINDIR",
  "USERPROFILE",
  "LOCALAPPDATA",
  "PROGRAMFILES",
]

function chromeEnvironment(folder: string): Record<string, string> {
  const variables = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value]]
  })
  return { ...Object.fromEntries(variables), TMPDIR: folder, TEMP: folder, TMP: folder }
}

/** Milliseconds for Chrome to end, after a request and after a kill signal. */
const closingMs = 3000

export interface LaunchOptions {
  proxyPort: number
  /** User agent for pages and workers. Default: Chrome's own. */
  agent?: string | undefined
  window: ChromeWindow
  hidesWebdriver?: boolean | undefined
}

/** A Chrome process, from before its start to its end. */
export interface ChromeProcess {
  folder: string
  /** Undefined while it starts. */
  pid?: number
}

/** Called with each Chrome when its folder is made, when it has started, and when it has ended. */
export type OnChrome = (chrome: ChromeProcess, state: "starting" | "started" | "ended") => void

export interface LaunchedChrome {
  browser: Browser
  /** Kills the process group and removes its folder. */
  end(): Promise<void>
}

/** Starts Chrome over a pipe, as a process group of its own with a throw-away folder. */
export async function launchChrome(
  path: string,
  options: LaunchOptions & {
    accepts(target: Target): boolean
    args: readonly string[]
    onChrome?: OnChrome | undefined
  },
): Promise<LaunchedChrome> {
  const { accepts: isAccepted, args, window, onChrome } = options
  const folder = makeChromeFolder()
  onChrome?.({ folder: folder.path }, "starting")
  const remove = async () => {
    await folder.remove()
    onChrome?.({ folder: folder.path }, "ended")
  }
  try {
    const browser = await puppeteer.launch({
      executablePath: path,
      pipe: true,
      // Unused domains.
      issuesEnabled: false,
      headless: window === "none",
      userDataDir: folder.path,
      env: chromeEnvironment(folder.path),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: withOperatorFlags(flags(options), args),
      targetFilter: isAccepted,
      // Pages see the window's own size.
      defaultViewport: null,
      timeout: 30_000,
    })
    const child = browser.process()
    if (child?.pid) onChrome?.({ folder: folder.path, pid: child.pid }, "started")
    const exited = child && new Promise((resolve) => child.once("exit", resolve))
    const end = async () => {
      await Promise.race([browser.close().catch(() => {}), Bun.sleep(closingMs)])
      if (child?.pid) killGroup(child.pid)
      await Promise.race([exited, Bun.sleep(closingMs)])
      await remove()
    }
    return { browser, end }
  } catch (error) {
    await remove()
    throw error
  }
}
