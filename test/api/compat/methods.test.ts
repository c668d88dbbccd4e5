import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { ApifyClient } from "apify-client"
import Firecrawl from "firecrawl"
import { DropIn } from "./compat.ts"
import { note } from "./observed.ts"
import { pagePath } from "./standings.ts"

/** docs/guide/use/compatibility.md lists every method of the official clients with its status. */
let here: DropIn
let firecrawl: Firecrawl
let apify: ApifyClient
beforeAll(async () => {
  here = await DropIn.open()
  const { key } = await here.app.account({ unlimited: true })
  firecrawl = new Firecrawl({ apiKey: key, apiUrl: here.root })
  apify = new ApifyClient({ token: key, baseUrl: here.root, maxRetries: 0 })
})
afterAll(() => here.stop())

type Standing = "works" | "partly" | "not" | "untested"

async function reported(client: string): Promise<Map<string, Standing>> {
  const page = await Bun.file(pagePath).text()
  const section = page.split(`### Methods of \`${client}\``)[1]!.split("\n#")[0]!
  const rows = section.matchAll(/^\| (`.*?) \| (works|partly|not|untested) \|/gm)
  return new Map(
    [...rows].flatMap(([, names, standing]) =>
      [...names!.matchAll(/`([^`]+)`/g)].map(([, name]) => [name!, standing as Standing] as const),
    ),
  )
}

/** Returns the methods of an object, including inherited ones. */
function methodsOf(object: object): string[] {
  const names = new Set<string>()
  for (let at = object; at && at !== Object.prototype; at = Object.getPrototypeOf(at)) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      const isOwn = name === "constructor" || (name.startsWith("_") && !name.startsWith("__"))
      if (typeof value === "function" && !isOwn) names.add(name)
    }
  }
  return [...names]
}

/** Methods that send no request. */
const inner = new Set([
  "isCloudService",
  "getVersion",
  "init",
  "prepareHeaders",
  "postRequest",
  "getRequest",
  "deleteRequest",
  "monitorJobStatus",
  "isRetryableError",
  "handleError",
])
/** Methods that use a WebSocket. */
const bySocket = new Set(["watcher", "crawlUrlAndWatch", "batchScrapeUrlsAndWatch"])

/** Returns the part of a client by a name such as `dataset`, for an ID that does not exist. */
// biome-ignore lint/suspicious/noExplicitAny: any method of any client
const partOf = (name: string): any => {
  // biome-ignore lint/suspicious/noExplicitAny: any method of any client
  const client = apify as any
  return client[name]("abcdefghijklmnopq")
}

const parts = () =>
  methodsOf(Object.getPrototypeOf(apify)).filter((name) => name !== "setStatusMessage")

/** Returns the result of a call: an error's message, or a response that contains one. */
async function stated(call: () => unknown): Promise<string> {
  try {
    // A supported method may wait for an event.
    return JSON.stringify((await Promise.race([call(), Bun.sleep(5000)])) ?? null)
  } catch (error) {
    return (error as Error).message
  }
}

const request = { id: "abcdefghijklmno", url: "https://a.test", uniqueKey: "a" }
/** Arguments of methods that validate them before they send a request. */
const provided: Record<string, unknown[]> = {
  crawlParamsPreview: ["https://a.test", "x"],
  parse: [{ data: "x", filename: "x.pdf" }],
  developerSearch: ["x"],
  interact: ["x", { code: "1" }],
  scrapeExecute: ["x", { code: "1" }],
  browserExecute: ["x", { code: "1" }],
  startAgent: [{ prompt: "x" }],
  agent: [{ prompt: "x" }],
  feedback: [{ endpoint: "search", jobId: "x", rating: "good" }],
  searchFeedback: ["x", { rating: "good" }],
  createMonitor: [{ name: "x" }],
  getAgentSnapshot: ["x", "y"],
  getMonitorCheck: ["x", "y"],
  "actor.update": [{ name: "x" }],
  "run.update": [{ statusMessage: "x" }],
  "dataset.update": [{ name: "x" }],
  "keyValueStore.update": [{ name: "x" }],
  "requestQueue.update": [{ name: "x" }],
  "task.update": [{ name: "x" }],
  "actor.build": ["0.0"],
  "actor.version": ["0.0"],
  "run.metamorph": ["trawl/x", {}],
  "run.charge": [{ eventName: "x" }],
  "dataset.pushItems": [{ a: 1 }],
  "keyValueStore.setRecord": [{ key: "a", value: "b" }],
  "keyValueStore.deleteRecord": ["a"],
  "requestQueue.listAndLockHead": [{ lockSecs: 10 }],
  "requestQueue.addRequest": [{ url: request.url, uniqueKey: "a" }],
  "requestQueue.batchAddRequests": [
    [{ url: request.url, uniqueKey: "a" }],
    { maxUnprocessedRequestsRetries: 0 },
  ],
  "requestQueue.batchDeleteRequests": [[{ id: "abcdefghijklmno" }]],
  "requestQueue.updateRequest": [request],
  "requestQueue.deleteRequest": ["abcdefghijklmno"],
  "requestQueue.prolongRequestLock": ["abcdefghijklmno", { lockSecs: 10 }],
  "requestQueue.deleteRequestLock": ["abcdefghijklmno"],
  "tasks.create": [{ actId: "a", name: "b" }],
  "build.waitForFinish": [{ waitSecs: 0 }],
  "user.monthlyUsage": [],
  "user.updateLimits": [{ maxMonthlyUsageUsd: 1 }],
}

describe("firecrawl", () => {
  test("covers every method, and no other", async () => {
    const methods = new Set([
      ...methodsOf(Object.getPrototypeOf(firecrawl)),
      ...methodsOf(Object.getPrototypeOf(firecrawl.v1)),
    ])
    const named = [...(await reported("firecrawl")).keys()]
    expect(named.sort()).toEqual([...methods].filter((name) => !inner.has(name)).sort())
  })

  test("refuses unsupported methods with a message", async () => {
    const silent: string[] = []
    for (const [name, standing] of await reported("firecrawl")) {
      if (standing === "works" || standing === "partly") continue
      if (bySocket.has(name)) {
        note("firecrawl", name, "refused")
        continue
      }
      // biome-ignore lint/suspicious/noExplicitAny: any method of any client
      const client = (name in firecrawl ? firecrawl : firecrawl.v1) as any
      const what = await stated(() => client[name](...(provided[name] ?? ["x", {}])))
      if (what.includes("is not supported")) note("firecrawl", name, "refused")
      else if (standing === "not") silent.push(`${name}: ${what}`)
    }
    expect(silent).toEqual([])
  })
})

describe("apify-client", () => {
  test("covers every method, and no other", async () => {
    const methods = parts().flatMap((part) =>
      methodsOf(Object.getPrototypeOf(partOf(part))).map((name) => `${part}.${name}`),
    )
    expect([...(await reported("apify-client")).keys()].sort()).toEqual(methods.sort())
  })

  test("refuses unsupported methods with a message", async () => {
    const silent: string[] = []
    for (const [name, standing] of await reported("apify-client")) {
      if (standing === "works" || standing === "partly") continue
      const [part, method] = name.split(".") as [string, string]
      const what = await stated(async () => {
        const made = partOf(part)[method](...(provided[name] ?? []))
        // Some return a part of the client, which sends requests when it is used.
        const inner = made && typeof made.then !== "function" ? (made.list ?? made.get) : undefined
        return inner ? inner.call(made) : made
      })
      // The client retries, logs the error, and returns the requests that it could not add.
      const isStored = name === "requestQueue.batchAddRequests" && what.includes("unprocessed")
      if (isStored || what?.includes("is not supported")) note("apify-client", name, "refused")
      else if (standing === "not") silent.push(`${name}: ${what}`)
    }
    expect(silent).toEqual([])
  })
})
