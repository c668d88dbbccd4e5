import puppeteer, { type Browser, type Target } from "puppeteer-core"
import { killGroup, makeChromeFolder } from "./chrome-folder.ts"
import { isHeadlessShell, isRoot } from "./find.ts"
import { withOperatorFlags } from "./operator-flags.ts"
import { workApart } from "./page/isolated-worlds.ts"

workApart()

/**
 * Flags that keep Chrome quiet and inside: no calls home, and no way to the network but the proxy,
 * not for loopback (which Chrome would exempt), DNS or WebRTC either.
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
    // Chrome takes the first name only, the headless shell the second (version 156).
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    // Remaining requests of Chrome's own go to a port on which nothing listens.
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
    // Without RenderDocument, a navigation within a site makes no frame beforehand: what transports
    // open and break off costs a third.
    "--disable-features=NetworkTimeServiceQuerying,Translate,OptimizationHints,MediaRouter,InterestFeedContentSuggestions,AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,BackForwardCache,Prerender2,SpareRendererForSitePerProcess,RenderDocument",
    "--metrics-recording-only",
    "--mute-audio",
    "--hide-scrollbars",
    "--lang=en-US",
    "--window-size=1366,900",
  ]
}

/** Without a display Chrome has neither a mouse nor anything else to point with. */
const desktopPointer =
  "--blink-settings=primaryHoverType=2,availableHoverTypes=2,primaryPointerType=4,availablePointerTypes=4"

/**
 * Where Chrome's windows are: on the display, drawn nowhere, or there are none. A Chrome without windows
 * says Headless, and with an agent of its own it has no client hints.
 */
export type ChromeWindow = "shown" | "undrawn" | "none"

/** As Chrome does without windows: WebGL works without a graphics card. */
const softwareWebGl = ["--use-angle=swiftshader-webgl", "--enable-unsafe-swiftshader"]

const windowFlags: Record<ChromeWindow, readonly string[]> = {
  shown: process.platform === "linux" ? softwareWebGl : [],
  undrawn: [
    desktopPointer,
    "--ozone-platform=headless",
    "--ozone-override-screen-size=1920,1080",
    "--window-position=0,0",
    ...softwareWebGl,
    // Nothing may wait for a dialog that is not visible.
    "--noerrdialogs",
    "--kiosk-printing",
    "--hide-crash-restore-bubble",
  ],
  none: [desktopPointer, "--screen-info={1920x1080}"],
}

/** Chrome for Linux can draw its windows nowhere; the headless shell has none. */
export function windowOf(path: string, isHeaded = false): ChromeWindow {
  if (isHeaded) return "shown"
  return process.platform === "linux" && !isHeadlessShell(path) ? "undrawn" : "none"
}

const nowhere = "http://127.0.0.1:1/"

/** The variables that Chrome needs. Pages are untrusted: our keys and tokens are not passed. */
const passedOn = [
  "PATH",
  "HOME",
  "LANG",
  "LC_ALL",
  "TZ",
  // For its window in headed mode.
  "DISPLAY",
  "WAYLAND_DISPLAY",
  "XAUTHORITY",
  "XDG_RUNTIME_DIR",
  "LD_LIBRARY_PATH",
  "FONTCONFIG_FILE",
  "FONTCONFIG_PATH",
  // Windows starts no program without these.
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

/** How long Chrome may take to end: when it is asked to, and when it is killed. */
const closingMs = 3000

export interface LaunchOptions {
  proxyPort: number
  /** What it says of itself everywhere, in workers too. Default: what it says of itself. */
  agent?: string | undefined
  window: ChromeWindow
  hidesWebdriver?: boolean | undefined
}

/** A Chrome of this process, from before its start to its end. */
export interface ChromeProcess {
  folder: string
  /** Undefined while it starts. */
  pid?: number
}

/** Called with each Chrome when its folder is made, when it has started, and when it has ended. */
export type OnChrome = (chrome: ChromeProcess, state: "starting" | "started" | "ended") => void

export interface LaunchedChrome {
  browser: Browser
  /** Ends the whole process group and removes its folder. */
  end(): Promise<void>
}

/** Starts Chrome over a pipe, as a process group of its own with a throw-away folder. */
export async function launchChrome(
  path: string,
  options: LaunchOptions & {
    takesOn(target: Target): boolean
    args: readonly string[]
    onChrome?: OnChrome | undefined
  },
): Promise<LaunchedChrome> {
  const { takesOn, args, window, onChrome } = options
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
      // Nothing reads them.
      issuesEnabled: false,
      headless: window === "none",
      userDataDir: folder.path,
      env: chromeEnvironment(folder.path),
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      args: withOperatorFlags(flags(options), args),
      targetFilter: takesOn,
      // A page sees the window's own size.
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
