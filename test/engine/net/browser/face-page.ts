/** A page's report about the browser that shows it. */
export interface PageFace {
  agents: Record<
    "page" | "frame" | "crossFrame" | "worker" | "blobWorker" | "shared" | "service",
    string
  >
  webdriver: boolean
  frameWebdriver: boolean[]
  /** Calls of `Error.prepareStackTrace` and of getters by what the page logs. */
  logged: Record<string, number>
  /** Stacks of the page's own functions that contain functions of others. */
  foreignStacks: string[]
  historyLength: number
  /** Widths and heights of the screen and the window, outside and inside. */
  screen: number[]
  [fact: string]: unknown
}

/** A page that reports what it sees of its browser to `/report`. */
export const facePage = (otherSite: string) => `<!doctype html><title>Face</title>
<button id="onetrust-reject-all-handler">No</button>
<script>
const historyLength = history.length
const logged = { prepared: 0, stack: 0, name: 0, proxy: 0 }
const foreignStacks = []
for (const [object, name] of [[Document.prototype, "querySelector"], [Document.prototype, "querySelectorAll"], [Element.prototype, "getBoundingClientRect"], [Element.prototype, "getAttribute"]]) {
  const own = object[name]
  object[name] = function (...args) { foreignStacks.push(new Error().stack); return own.apply(this, args) }
}
Error.prepareStackTrace = () => { logged.prepared++; return "" }
console.debug(new Error("look"))
Error.prepareStackTrace = undefined
const error = new Error("look")
Object.defineProperty(error, "stack", { get() { logged.stack++; return "" } })
console.debug(error)
const named = new Error("look")
Object.defineProperty(named, "name", { get() { logged.name++; return "" } })
console.debug(named)
console.debug(Object.create(new Proxy({}, { ownKeys() { logged.proxy++; return [] } })))
const messages = (target) => new Promise((resolve) => target.addEventListener("message", ({ data }) => resolve(data), { once: true }))
async function frame(src) {
  const element = document.createElement("iframe")
  const answer = new Promise((resolve) => addEventListener("message", function hear({ data, source }) {
    if (source !== element.contentWindow) return
    removeEventListener("message", hear)
    resolve(data)
  }))
  element.src = src
  document.body.append(element)
  return answer
}
const ownNames = (object) => Object.getOwnPropertyNames(object).sort()
/** A browser without a graphics card may never answer. */
const soon = (work) => Promise.race([work, new Promise((resolve) => setTimeout(resolve, 3000, "no answer"))])
const permission = async (name) => (await navigator.permissions.query({ name })).state
const matches = (query) => matchMedia(query).matches
async function report() {
  const [frameAgent, frameDriven] = await frame("/frame")
  const [crossAgent, crossDriven] = await frame(${JSON.stringify(otherSite)} + "/frame")
  const shared = new SharedWorker("/shared.js").port
  const sharedAgent = messages(shared)
  shared.start()
  await navigator.serviceWorker.register("/service.js")
  const { active } = await navigator.serviceWorker.ready
  const service = messages(navigator.serviceWorker)
  navigator.serviceWorker.startMessages()
  active.postMessage("")
  const blob = URL.createObjectURL(new Blob(["postMessage(navigator.userAgent)"]))
  const gl = document.createElement("canvas").getContext("webgl")
  const renderer = gl?.getExtension("WEBGL_debug_renderer_info")
  const face = {
    agents: {
      page: navigator.userAgent, frame: frameAgent, crossFrame: crossAgent,
      worker: await soon(messages(new Worker("/worker.js"))), blobWorker: await soon(messages(new Worker(blob))),
      shared: await soon(sharedAgent), service: await soon(service),
    },
    webdriver: navigator.webdriver,
    frameWebdriver: [frameDriven, crossDriven],
    logged,
    foreignStacks: foreignStacks.filter((stack) => /pptr|puppeteer|evaluate|settle/i.test(stack)),
    historyLength,
    screen: [screen.width, screen.height, outerWidth, outerHeight, innerWidth, innerHeight],
    windowNames: ownNames(window), navigatorOwn: ownNames(navigator), documentOwn: ownNames(document),
    navigatorNames: ownNames(Navigator.prototype),
    nativeText: [navigator.permissions.query, HTMLCanvasElement.prototype.toDataURL, console.debug, Function.prototype.toString].map(String),
    plugins: [...navigator.plugins].map(({ name }) => name), mimeTypes: navigator.mimeTypes.length,
    pdf: navigator.pdfViewerEnabled,
    languages: navigator.languages, vendor: navigator.vendor, platform: navigator.platform,
    chrome: Object.keys(window.chrome ?? {}), cookies: navigator.cookieEnabled,
    cores: navigator.hardwareConcurrency, memory: navigator.deviceMemory, touch: navigator.maxTouchPoints,
    notification: Notification.permission, permissions: await Promise.all(["notifications", "geolocation", "camera"].map(permission)),
    fine: matches("(pointer: fine)"), hover: matches("(hover: hover)"), anyFine: matches("(any-pointer: fine)"), anyHover: matches("(any-hover: hover)"),
    dark: matches("(prefers-color-scheme: dark)"), motion: matches("(prefers-reduced-motion: reduce)"),
    colour: [screen.colorDepth, devicePixelRatio],
    webgl: gl && [gl.getParameter(gl.VENDOR), renderer && gl.getParameter(renderer.UNMASKED_RENDERER_WEBGL)],
    webgpu: navigator.gpu ? await soon(navigator.gpu.requestAdapter().then((adapter) => adapter !== null)) : "none",
    voices: speechSynthesis.getVoices().length,
    devices: await soon(navigator.mediaDevices.enumerateDevices().then((all) => all.map(({ kind }) => kind))),
    brands: navigator.userAgentData.brands,
    hints: await navigator.userAgentData.getHighEntropyValues(["architecture", "bitness", "fullVersionList", "model", "platformVersion", "wow64", "formFactors"]),
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone, locale: Intl.DateTimeFormat().resolvedOptions().locale,
    visible: [document.visibilityState, document.hasFocus()],
    connection: [typeof navigator.connection, navigator.onLine],
  }
  await fetch("/report", { method: "POST", body: JSON.stringify(face) })
  document.body.id = "reported"
}
report().catch((error) => fetch("/report", { method: "POST", body: JSON.stringify({ failed: String(error) }) }))
</script>`
