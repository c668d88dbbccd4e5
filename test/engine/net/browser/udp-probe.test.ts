import { afterAll, expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import puppeteer from "puppeteer-core"
import { requireNoUdp, UdpLeak } from "../../../../src/engine/net/browser/udp-probe.ts"
import { fullChrome, leanChrome } from "../../../chrome.ts"

const folder = mkdtempSync(join(tmpdir(), "trawl-udp-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function probe(path: string, args: string[]): Promise<unknown> {
  const browser = await puppeteer.launch({
    executablePath: path,
    pipe: true,
    userDataDir: mkdtempSync(join(folder, "c-")),
    args: ["--no-sandbox", "--disable-gpu", ...args],
  })
  try {
    return await requireNoUdp(browser, `${path} ${args}`).catch((error) => error)
  } finally {
    await browser.close()
  }
}

for (const path of new Set([fullChrome()!, leanChrome()!])) {
  test(`${path} passes with WebRTC limited to the proxy, and fails without`, async () => {
    const policy = "webrtc-ip-handling-policy=disable_non_proxied_udp"
    expect(await probe(path, [`--${policy}`, `--force-${policy}`])).toBe(undefined)
    expect(await probe(path, [])).toBeInstanceOf(UdpLeak)
  }, 120_000)
}
