import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import puppeteer, { type Browser } from "puppeteer-core"

/**
 * Flags that keep Chrome quiet and inside: no calls home, and no way to the network but the proxy,
 * not for loopback (which Chrome would exempt), DNS or WebRTC either.
 */
function flags(proxyPort: number): string[] {
  const root = process.getuid?.() === 0
  return [
    ...(root ? ["--no-sandbox"] : []),
    `--proxy-server=127.0.0.1:${proxyPort}`,
    "--proxy-bypass-list=<-loopback>",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--dns-prefetch-disable",
    "--disable-quic",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-features=Translate,OptimizationHints,MediaRouter,InterestFeedContentSuggestions,AutofillServerCommunication,CertificateTransparencyComponentUpdater,DialMediaRouteProvider,BackForwardCache,Prerender2,SpareRendererForSitePerProcess",
    "--metrics-recording-only",
    "--mute-audio",
    "--hide-scrollbars",
    "--lang=en-US",
    "--window-size=1366,900",
  ]
}

export interface LaunchedChrome {
  browser: Browser
  /** Ends the whole process group and removes its profile. */
  end(): Promise<void>
}

/** Starts Chrome over a pipe, as a process group of its own with a throw-away profile. */
export async function launchChrome(path: string, proxyPort: number): Promise<LaunchedChrome> {
  const profile = mkdtempSync(join(tmpdir(), "trawl-chrome-"))
  const browser = await puppeteer.launch({
    executablePath: path,
    pipe: true,
    headless: true,
    userDataDir: profile,
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: flags(proxyPort),
    timeout: 30_000,
  })
  const end = async () => {
    const child = browser.process()
    await Promise.race([browser.close().catch(() => {}), Bun.sleep(3000)])
    if (child?.pid) {
      try {
        process.kill(-child.pid, "SIGKILL")
      } catch {
        // The group is gone already.
      }
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
  return { browser, end }
}
