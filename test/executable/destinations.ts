/** Destinations in the console: adding, testing and choosing one, and its deliveries. */
import { expect, test } from "bun:test"
import { click } from "./click.ts"
import { called, looksRight, waitForText } from "./looks.ts"
import { close, put } from "./tab.ts"
import { sharedWorld } from "./world.ts"

const world = sharedWorld()

test("a destination is added, tested, chosen for a run and deleted", async () => {
  const visit = await world.open()
  const { tab, stated } = visit
  const received: { type: string; data: { items?: { name: string }[] } }[] = []
  let status = 204
  const receiver = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request) {
      if (status === 204) received.push(await request.json())
      return new Response(null, { status })
    },
  })
  await world.signedUp(tab, "dora@example.com")
  await tab.goto(`${world.root}/destinations`)
  await waitForText(tab, "There are no destinations yet.")
  await looksRight(tab, "destinations-none")
  await tab.select("#destination-kind", "webhook")
  await put(tab, "#destination-name", "hook")
  await put(tab, "#destination-url", `http://127.0.0.1:${receiver.port}/items?key=hidden`)
  await click(tab, ".box .main")
  await waitForText(tab, "whsec_")
  await looksRight(tab, "destinations")
  expect(await tab.$eval(".list", (list) => list.textContent)).not.toContain("hidden")

  await click(tab, ".list a")
  await waitForText(tab, "No run has been delivered yet.")
  await click(tab, ".actions button")
  await waitForText(tab, "The test succeeded")
  expect(received.map(({ type }) => type)).toEqual(["test"])
  status = 500
  await click(tab, ".actions button")
  await waitForText(tab, "The test failed: The receiver responded with 500.")
  status = 204

  await tab.goto(`${world.root}/scrapers/pypi-package-scraper?packages=tidecharts`)
  await tab.waitForSelector("#destination")
  await tab.select("#destination", "hook")
  await looksRight(tab, "scraper-destination")
  await click(tab, "button.main")
  await waitForText(tab, "succeeded")
  for (let looks = 0; received.length < 2; looks++) {
    expect(looks, "looks until the items came").toBeLessThan(600)
    await Bun.sleep(50)
  }
  expect(received[1]).toMatchObject({ type: "items", data: { items: [{ name: "tidecharts" }] } })
  const isDelivered = async () => {
    const { items } = await called(tab, "/api/v1/destinations")
    return items[0].deliveries.delivered === 1
  }
  while (!(await isDelivered())) await Bun.sleep(50)
  await tab.goto(`${world.root}/destinations`)
  await waitForText(tab, "1 delivered, 0 waiting, 0 failed")
  await click(tab, ".list a")
  await waitForText(tab, "delivered")
  await looksRight(tab, "destination")
  await click(tab, ".actions .danger")
  await tab.waitForSelector("dialog[open]")
  await click(tab, "dialog .main")
  await waitForText(tab, "There are no destinations yet.")
  expect(stated).toEqual([])
  await receiver.stop(true)
  await close(visit)
})
