import { expect, test } from "bun:test"
import { requireNoUdp, UdpLeak } from "../../../../src/engine/net/browser/chrome/udp-probe.ts"
import { fullChrome, leanChrome, openBrowser } from "../../../chrome.ts"
import { isRunningAll } from "../../../samples.ts"

async function probe(path: string, args: string[]): Promise<unknown> {
  const { browser, close } = await openBrowser(path, {
    pipe: true,
    args: ["--disable-gpu", ...args],
  })
  try {
    return await requireNoUdp(browser, `${path} ${args}`).catch((error) => error)
  } finally {
    await close()
  }
}

for (const path of new Set([leanChrome()!, ...(isRunningAll ? [fullChrome()!] : [])])) {
  test(`${path} passes with WebRTC limited to the proxy, and fails without`, async () => {
    const policy = "webrtc-ip-handling-policy=disable_non_proxied_udp"
    expect(await probe(path, [`--${policy}`, `--force-${policy}`])).toBe(undefined)
    expect(await probe(path, [])).toBeInstanceOf(UdpLeak)
  }, 120_000)
}
