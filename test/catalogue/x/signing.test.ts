import { expect, test } from "bun:test"
import { join } from "node:path"
import { readSigning, transactionId } from "../../../src/catalogue/x/transaction-id.ts"
import search from "../../../src/catalogue/x/twitter-search-scraper.ts"
import { xTable } from "../../../src/catalogue/x/upstream.ts"
import { readCase } from "../../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../../src/engine/fetch/replay/environment.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"
import { parseDocument } from "../../../src/extract/core/index.ts"

const { signKeyword: keyword, signMark: mark } = xTable.values
const folder = join(import.meta.dir, "../../cases/twitter-search-scraper/signed")

const pageOf = (key: string, row: number, curves: string) => {
  const images = [0, 1, 2, 3].map((number) => {
    const path = number === row ? curves : "M 10,30 C 1,2 3,4 5,6 h 7 s 8,9 10,11"
    return `<svg id="loading-x-anim-${number}"><g><path d="M1"></path><path d="${path}"></path></g></svg>`
  })
  const meta = `<meta name="twitter-site-verification" content="${key}">`
  return parseDocument(`<html><head>${meta}</head><body>${images.join("")}</body></html>`)
}

const curves = {
  september: (await Bun.file(join(folder, "home.html")).text()).match(
    /d="(M 10,30 C 69[^"]+)/,
  )![1]!,
  october:
    "M 10,30 C 20,121 130,192 106,146 h 222 s 127,222 29,72 C 126,193 21,171 130,208 h 42 s 224,228 186,204 C 1,156 24,82 88,19 h 255 s 60,23 54,168 C 168,108 59,137 197,50 h 231 s 84,24 82,181 C 176,2 185,212 38,35 h 43 s 41,111 130,213 C 16,108 179,229 224,196 h 0 s 101,9 176,207 C 119,10 93,49 82,211 h 93 s 76,136 131,232 C 188,194 152,152 170,55 h 171 s 168,10 187,131 C 240,206 36,249 166,162 h 8 s 33,193 82,178 C 162,129 60,42 214,63 h 64 s 118,180 121,55 C 134,189 231,167 49,141 h 119 s 206,137 154,5 C 29,149 183,52 181,52 h 93 s 133,222 153,162 C 105,58 61,223 42,213 h 44 s 205,113 147,134 C 55,186 213,213 18,4 h 116 s 102,176 190,69 C 190,0 78,23 155,0 h 74 s 242,27 203,146 C 107,44 235,81 210,6 h 107 s 175,123 155,175",
}
const keys = {
  september: "j3Ob4OLD3v8xPQCLrTZSUHl+GBW4RLbARJYhEu62FiFl5flXdwoAvGsQN/CCgVnp",
  october: "LO+DFdKIInK3MTWABh56VTa6K8r+MnTnFLKFioPBzEm1/E1IxQsSUWKAcIsjhWJb",
}

/**
 * Values that X's own script computed on its own pages (public test fixtures of QuaX, recorded in
 * 2026).
 */
const made = [
  {
    page: pageOf(keys.september, 3, curves.september),
    script: "f(e[13],16),[f(e[0],16),f(e[39],16),f(e[39],16)]",
    at: 1790375708386,
    method: "GET",
    path: "/i/api/graphql/lSMmQoIyV1rw8qoyU9pQ5g/SearchTimeline",
    id: "ZukV/YaEpbiZV1tm7ctQNDYfGH5z3iLQpiLwR3SI0HBHA4OfMRFsZtoNdlGW5Oc/j8r1AWBQgrk2pE7CsCRkQdIBtgVaZQ",
  },
  {
    page: pageOf(keys.september, 3, curves.september),
    script: "f(e[13],16),[f(e[0],16),f(e[39],16),f(e[39],16)]",
    at: 1790375708386,
    method: "POST",
    path: "/i/api/graphql/6fDZvDa5qNz7RBq-iK4cXQ/FavoriteTweet",
    id: "6WaacgkLKjcW2NTpYkTfu7mQl/H8Ua1fKa1/yPsHX//IjAwQvp7j6VWC+d4Za2iwAEV6ju/aAxlw/xMUmNIHmNWeGaj46g",
  },
  {
    page: pageOf(keys.october, 0, curves.october),
    script: "[k(e[28],16),k(k(e[0],16),f(e[14],16)),f(e[41],16)]",
    at: 1791617444163,
    method: "GET",
    path: "/i/api/graphql/lSMmQoIyV1rw8qoyU9pQ5g/SearchTimeline",
    id: "vpJRPatsNpzMCY+LPrigxOuIBJV0QIzKWaoMOzQ9f3L3C0Lz9nu1rO/cPs41nTvc5Yo4xLg1m3Q3MGo/HOWO6MYQ0/j7vQ",
  },
]

test("a request has the ID that X's own script makes for it", () => {
  for (const { page, script, id, ...request } of made) {
    const random = Buffer.from(id, "base64")[0]!
    const signing = readSigning(page, script)!
    expect(transactionId(signing, { ...request, random, keyword, mark })).toBe(id)
  }
})

test("an unknown form makes no ID", () => {
  const page = () => pageOf(keys.october, 0, curves.october)
  const script = made[2]!.script
  expect(readSigning(page(), script)).not.toBeNull()
  expect(readSigning(page(), "no places")).toBeNull()
  expect(readSigning(page(), "f(e[28],16)")).toBeNull()
  expect(readSigning(page(), script.replace("14", "99"))).toBeNull()
  expect(readSigning(pageOf("", 0, curves.october), script)).toBeNull()
  expect(readSigning(pageOf(keys.october, 0, ""), script)).toBeNull()
  expect(readSigning(parseDocument("<p>Log in</p>"), script)).toBeNull()
})

test("a search is signed by its page's data, and later runs do not fetch the page", async () => {
  const recorded = readCase(folder)
  const environment = replayEnvironment({ ...recorded, clock: "2026-09-25T22:35:08.386Z" })
  const sent: { url: string; id: string | null }[] = []
  const { http } = environment
  const watched: typeof http = {
    send: (request) => {
      sent.push({
        url: request.url,
        id: new Headers(request.headers).get("x-client-transaction-id"),
      })
      return http.send(request)
    },
  }
  const run = async (checkpoint: MemoryCheckpoints) => {
    sent.length = 0
    const parts = { checkpoint, environment: { ...environment, http: watched } }
    const input = { latest: false, ...recorded.input }
    await executeRun({ scraper: search, input, ...parts, signal: AbortSignal.timeout(20_000) })
    return sent.find(({ url }) => url.includes("SearchTimeline"))!.id
  }
  const first = await run(new MemoryCheckpoints(search.targets(recorded.input as never)))
  const page = parseDocument(await Bun.file(join(folder, "home.html")).text())
  const signing = readSigning(page, await Bun.file(join(folder, "sign.js")).text())!
  const random = Buffer.from(first!, "base64")[0]!
  const path = "/i/api/graphql/BGd0T_j7oVwlW5U79tO_0A/SearchTimeline"
  const request = { method: "POST", path, at: 1790375708386, random, keyword, mark }
  expect(first).toBe(transactionId(signing, request))
  // By POST, and by GET, the only one with a recording.
  expect(sent).toHaveLength(6)

  class Remembering extends MemoryCheckpoints {
    override async memoryGet(key: string) {
      return key === "signing session" ? { at: 1790375700000, signing } : undefined
    }
  }
  expect(await run(new Remembering(search.targets(recorded.input as never)))).not.toBeNull()
  expect(sent).toHaveLength(2)
})
