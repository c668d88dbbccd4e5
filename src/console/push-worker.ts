/** The service worker, which displays push messages even while no page of the console is open. */

interface Message {
  title: string
  text: string
  link?: string
  image?: string
}

interface PushEvent extends ExtendableEvent {
  data: { json(): Message } | null
}

interface ClickEvent extends ExtendableEvent {
  notification: Notification
}

interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void
}

const worker = globalThis as unknown as {
  registration: ServiceWorkerRegistration
  clients: { openWindow(url: string): Promise<unknown> }
  addEventListener(name: "push", listener: (event: PushEvent) => void): void
  addEventListener(name: "notificationclick", listener: (event: ClickEvent) => void): void
}

worker.addEventListener("push", (event) => {
  const message = event.data?.json()
  if (!message) return
  const { title, text, link = "", image } = message
  // The types of some browsers lack `image`.
  const options = { body: text, data: link, ...(image && { image }) }
  event.waitUntil(worker.registration.showNotification(title, options))
})

worker.addEventListener("notificationclick", (event) => {
  const { notification } = event
  notification.close()
  const link = String(notification.data ?? "")
  if (/^https?:\/\//.test(link)) event.waitUntil(worker.clients.openWindow(link))
})

export {}
