import { requestJson } from "./request.ts"
import { base } from "./shell.ts"

/** Whether this browser can receive push messages; browsers require HTTPS or localhost. */
export const canSubscribe =
  "serviceWorker" in navigator && "PushManager" in globalThis && "Notification" in globalThis

/** Subscribes this browser. @throws Error with the reason, RequestError */
export async function subscription() {
  if ((await Notification.requestPermission()) !== "granted") {
    throw new Error(
      "This browser blocks notifications of this site. Allow them in its site settings, then try again.",
    )
  }
  const { publicKey } = await requestJson<{ publicKey: string }>("/console/push-key")
  const registration = await navigator.serviceWorker.register(`${base}/console/push-worker.js`)
  await active(registration)
  const { pushManager } = registration
  const before = await pushManager.getSubscription()
  // A browser has one subscription, which belongs to one key.
  if (before && keyOf(before) !== publicKey) await before.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const { endpoint, keys } = (await pushManager.subscribe(options).catch(refused)).toJSON()
  return { url: endpoint!, keys: { p256dh: keys!.p256dh!, auth: keys!.auth! } }
}

/** @throws Error with the browser's reason, and another way to be notified */
function refused(error: Error): never {
  const reason = error.message.replace(/[.\s]*$/, ".")
  throw new Error(
    `This browser refused to receive push messages: ${reason} Private windows, and browsers without a push service, cannot receive them. Use another browser, or add a channel of another kind.`,
  )
}

/** Waits until the service worker can receive messages. */
function active(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting
  if (!worker || registration.active) return Promise.resolve()
  return new Promise((done, failed) => {
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") done()
      if (worker.state === "redundant") failed(new Error("The service worker did not start."))
    })
  })
}

function keyOf({ options }: PushSubscription): string {
  const bytes = new Uint8Array(options.applicationServerKey ?? new ArrayBuffer(0))
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
}

const browsers = [
  ["Edge", /\bEdg/],
  ["Opera", /\bOPR\//],
  ["Firefox", /\bFirefox\//],
  ["Chrome", /Chrom(?:e|ium)\//],
  ["Safari", /\bSafari\//],
] as const
const systems = [
  ["Android", /Android/],
  ["iPhone", /iPhone|iPad/],
  ["Windows", /Windows/],
  ["Mac", /Mac OS X/],
  ["Linux", /Linux/],
] as const

/** Returns a name for this browser in a list, for example "Firefox on Android". */
export function browserName(agent = navigator.userAgent): string {
  const named = (all: typeof browsers | typeof systems) =>
    all.find(([, pattern]) => pattern.test(agent))?.[0]
  return `${named(browsers) ?? "Browser"} on ${named(systems) ?? "this device"}`
}
