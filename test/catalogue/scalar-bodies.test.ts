import { describe, expect, test } from "bun:test"
import { type Exchange, exchangeBody, type ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { isErrorItem } from "../../src/engine/runtime/run/checkpoints.ts"
import { casesUnder, ownCases, replay } from "../corpus-run.ts"

/** JSON bodies that are neither an object nor a list. */
const scalars = ["null", "7", '"odd"', "false"]

const isData = ({ folder }: ReplayCase, exchange: Exchange) =>
  exchange.status < 300 &&
  exchange.url.startsWith("http") &&
  /^\s*[[{]/.test(new TextDecoder().decode(exchangeBody(folder, exchange)))

function withBody(recorded: ReplayCase, text: string): ReplayCase {
  const exchanges = recorded.exchanges.map((exchange) => {
    if (!isData(recorded, exchange)) return exchange
    const { body: _body, ...rest } = exchange
    return { ...rest, bytes: new TextEncoder().encode(text) }
  })
  return { ...recorded, exchanges }
}

const cases = [
  ...new Map(
    casesUnder(ownCases)
      .filter((recorded) => recorded.exchanges.some((exchange) => isData(recorded, exchange)))
      .map((recorded) => [recorded.slug, recorded]),
  ).values(),
]

describe("a JSON body that is neither an object nor a list is reported as such", () => {
  test.each(cases.map((recorded) => [recorded.slug, recorded] as const))(
    "%s",
    async (_, recorded) => {
      for (const scalar of scalars) {
        const { items, error } = await replay(withBody(recorded, scalar))
        const errors = [error, ...items.filter(isErrorItem).map((item) => item.error)]
        const messages = errors.flatMap((one) => (one as { message: string } | null)?.message ?? [])
        expect(messages.filter((message) => message.includes("could not be parsed"))).toEqual([])
      }
    },
  )

  test("the message names the URL and the value", async () => {
    const recorded = cases.find(({ slug }) => slug === "pypi-package-scraper")!
    const { items } = await replay(withBody(recorded, "null"))
    expect(items.filter(isErrorItem)[0]!.error).toEqual({
      code: "layout_changed",
      message: expect.stringMatching(
        /^The response of https:\/\/pypi\.org\/pypi\/\S+ is null instead of a JSON object or list\./,
      ),
    })
  })
})
