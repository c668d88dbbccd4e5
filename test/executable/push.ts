/** Push messages to a browser: it subscribes in the console, and its service worker shows what comes. */
import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Page } from "puppeteer-core"
import { identified, PushService } from "../push-service.ts"
import { testOfAll } from "../samples.ts"
import { click } from "./click.ts"
import { looksRight, until, waitForText } from "./looks.ts"
import { close } from "./tab.ts"
import { fullBrowser, World } from "./world.ts"

// The headless shell shows no notifications.
const world = new World(fullBrowser())
let service: PushService
beforeAll(() => {
  service = new PushService()
})
afterAll(() => service.stop())

/** Replaces Chrome's push service, which needs an account of its vendor, by the one of this test. */
async function withPushService(tab: Page): Promise<void> {
  await tab.browserContext().overridePermissions(world.root, ["notifications"])
  const { url: endpoint, keys } = service.subscription
  await tab.evaluateOnNewDocument(
    (endpoint, keys) => {
      PushManager.prototype.subscribe = async (options) => {
        // Survives a reload, unlike a global.
        sessionStorage.setItem("subscribedWith", String(options?.applicationServerKey))
        return { endpoint, toJSON: () => ({ endpoint, keys }) } as unknown as PushSubscription
      }
    },
    endpoint,
    keys,
  )
}

test("a browser subscribes, gets a test, and shows what its push service delivers", async () => {
  const visit = await world.openFresh()
  const { tab, stated } = visit
  await world.signedUp(tab, "pia@example.com")
  await withPushService(tab)
  await tab.goto(`${world.root}/notifications`)
  await tab.waitForSelector("#kind")
  await tab.select("#kind", "browser")
  await waitForText(tab, "The browser asks for your permission")
  await looksRight(tab, "notifications-browser")
  await click(tab, ".box .main")
  await tab.waitForSelector(".list tbody a")
  await waitForText(tab, "Chrome on Linux")
  const publicKey = await tab.evaluate(() => sessionStorage.getItem("subscribedWith"))
  await click(tab, ".list tbody a")
  await click(tab, ".actions button:not([disabled])")
  await waitForText(tab, "The test succeeded: status 201")
  const { headers, message } = service.received.at(-1)!
  expect(message.text).toBe("This channel works.")
  expect(identified(headers.get("authorization")!).key).toBe(publicKey!)

  const link = `${world.root}/monitors`
  await deliver(tab, JSON.stringify({ ...message, link }))
  await until(tab, async () => {
    const worker = await navigator.serviceWorker.getRegistration("/console/")
    return ((await worker?.getNotifications()) ?? []).length > 0
  })
  const visible = await tab.evaluate(async () => {
    const worker = await navigator.serviceWorker.getRegistration("/console/")
    return (await worker!.getNotifications()).map(({ title, body, data }) => ({
      title,
      body,
      data,
    }))
  })
  expect(visible).toEqual([{ title: message.title, body: message.text, data: link }])
  expect(stated).toEqual([])
  await close(visit)
})

/** Delivers a message to the service worker, as the browser does after decrypting it. */
async function deliver(tab: Page, data: string): Promise<void> {
  const events = await tab.createCDPSession()
  const registered = new Promise<string>((done) => {
    events.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const own = registrations.find(({ scopeURL }) => scopeURL.startsWith(world.root))
      if (own) done(own.registrationId)
    })
  })
  await events.send("ServiceWorker.enable")
  const registrationId = await registered
  await events.send("ServiceWorker.deliverPushMessage", {
    origin: world.root,
    registrationId,
    data,
  })
}

testOfAll("a browser that blocks notifications shows how to allow them", async () => {
  const visit = await world.openFresh()
  const { tab } = visit
  await world.signedUp(tab, "per@example.com")
  const permission = { name: "notifications" }
  const events = await tab.createCDPSession()
  await events.send("Browser.setPermission", {
    permission,
    setting: "denied",
    origin: world.root,
    browserContextId: tab.browserContext().id!,
  })
  await tab.goto(`${world.root}/notifications`)
  await tab.waitForSelector("#kind")
  await tab.select("#kind", "browser")
  await click(tab, ".box .main")
  await waitForText(tab, "This browser blocks notifications of this site.")
  await waitForText(tab, "There are no channels yet.")
  await close(visit)
})
