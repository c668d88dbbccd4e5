import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import type { ReplayCase } from "../../src/engine/fetch/replay/case.ts"
import { casesUnder, ownCases } from "../corpus-run.ts"
import { endOf } from "../ends.ts"
import { dataChanges } from "../harmless/json.ts"
import { harmedData, ownDataChange } from "../harmless/responses.ts"
import { recordingsOf } from "../recordings.ts"
import { everyNth, isRunningAll } from "../samples.ts"

const named = (name: string) => dataChanges.find((one) => one.name === name)!
/** The written cases show most of what depends on a recording, and they are small. */
const telling = [named("null at the end of lists")]

describe("changes of data", () => {
  const page = `<script>window.state = {"rows": [${'{"id": 12345678901234567890, "a": "é/"},'.repeat(9)} {"id": 2}]}</script>`
  const changes: [name: string, body: string, changed: string | null][] = [
    [
      "null at the end of lists",
      '{"rows":[{"id":1}],"ids":[1]}',
      '{"rows":[{"id":1},null],"ids":[1]}',
    ],
    ["one line", ')]}\'\n[{"id": 12345678901234567890}]', ')]}\'\n[{"id":12345678901234567890}]'],
    ["one line", 'call({ "a": 1 });', 'call({"a":1});'],
    ["one line", '{ "a": 1 }\n{ "a": 2 }\n', '{"a":1}\n{"a":2}\n'],
    ["one line", "plain text", null],
    ["signs escaped", '{"a":"é/"}', '{"a":"\\u00e9\\/"}'],
    [
      "signs escaped",
      page,
      page.replaceAll(": ", ":").replaceAll(", ", ",").replaceAll("é/", "\\u00e9\\/"),
    ],
    ["unknown keys", '{"EUR":1,"USD":2}', null],
    ["times with an offset", '["2026-01-02T03:04:05Z"]', '["2026-01-02T03:04:05+00:00"]'],
    ["XML: sections as texts", "<?xml?><a><![CDATA[b & c]]></a>", "<?xml?><a>b &amp; c</a>"],
    [
      "XML: prefixes of other names",
      '<?xml?><a xmlns:p="urn:p"><p:b p:c="d"/></a>',
      '<?xml?><a xmlns:zzp="urn:p"><zzp:b zzp:c="d"/></a>',
    ],
  ]
  for (const [name, body, changed] of changes) {
    test(`${name}: ${body.slice(0, 50)}`, () => expect(named(name).change(body)).toBe(changed))
  }
})

async function expectUnharmed(one: ReplayCase, more: typeof telling = []): Promise<void> {
  const ended = one.clock ? endOf(one) : undefined
  const changes = new Set([...(await ownDataChange(one)), ...more])
  expect(await harmedData(one, [...changes], ended)).toBeUndefined()
}

/**
 * One change per case, for the first case of every second scraper. `bun run verify --all` tests all
 * cases, and `bun run corpus <slug> --harmless` tries all changes.
 */
describe("each scraper ignores changes of data that mean the same", () => {
  for (const { slug } of everyNth(catalogue, 2)) {
    const own = casesUnder(ownCases, slug)
    for (const one of isRunningAll ? own : own.slice(0, 1)) {
      test(`${slug}/${one.case}`, () => expectUnharmed(one, telling))
    }
    if (!isRunningAll) continue
    for (const { name, recorded } of recordingsOf(slug)) {
      test.skipIf(!recorded)(name, () => expectUnharmed(recorded!))
    }
  }
})
