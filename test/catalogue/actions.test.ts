import { expect, test } from "bun:test"
import { checkActions, checkInput, type PageAction } from "../../src/catalogue/kit/index.ts"
import urlToMarkdown from "../../src/catalogue/web/url-to-markdown-scraper.ts"
import { replayEnvironment } from "../../src/engine/replay/environment.ts"
import { executeRun } from "../../src/engine/run/execute.ts"
import { MemoryJournal } from "../../src/engine/run/memory-journal.ts"

const faultOf = (action: PageAction) => {
  try {
    checkActions([{ type: "scroll" }, action])
  } catch (error) {
    return (error as Error).message
  }
}

test("an action that lacks what it needs is refused by the field's name", () => {
  expect(faultOf({ type: "click", selector: "main > a.more" })).toBeUndefined()
  expect(faultOf({ type: "click" })).toBe('actions[1].selector: "click" needs it.')
  expect(faultOf({ type: "type", selector: "#q" })).toBe('actions[1].text: "type" needs it.')
  expect(faultOf({ type: "wait" })).toBe('actions[1]: "wait" needs selector or milliseconds.')
  expect(faultOf({ type: "click", selector: "a[" })).toStartWith("actions[1].selector: ")
  const checked = checkInput(urlToMarkdown.input, {
    urls: ["https://a.example"],
    actions: [{ type: "hover", selector: "a" }],
  })
  expect(checked.ok).toBe(false)
})

/** A world of recorded answers, in which Chrome gave the page. */
async function codesOf(isKeyless: boolean): Promise<unknown[]> {
  const html = `<h1>Quay</h1><p>${"The quay of Corrie was built in two summers. ".repeat(5)}</p>`
  const environment = replayEnvironment({
    slug: "url-to-markdown-scraper",
    case: "actions",
    folder: "",
    input: {},
    env: {},
    exchanges: [
      {
        method: "GET",
        url: "https://a.example/",
        via: "browser",
        status: 200,
        headers: { "content-type": "text/html" },
        bytes: new TextEncoder().encode(html),
      },
    ],
    expect: [],
  } as never)
  const input = checkInput(urlToMarkdown.input, {
    urls: ["https://a.example/"],
    actions: [{ type: "click", selector: "h1" }],
  })
  if (!input.ok) throw new Error(JSON.stringify(input.faults))
  const journal = new MemoryJournal(["https://a.example/"], () => {})
  await executeRun({
    scraper: urlToMarkdown,
    input: input.input,
    journal,
    environment: { ...environment, ...(isKeyless ? { isKeyless } : {}) },
    signal: AbortSignal.timeout(30_000),
  })
  const codes: unknown[] = []
  for await (const item of journal.items()) {
    codes.push((item.error as { code: string } | undefined)?.code ?? item.markdown)
  }
  return codes
}

test("actions go by Chrome, and are for accounts alone", async () => {
  expect(await codesOf(false)).toEqual([expect.stringContaining("# Quay\n\nThe quay of Corrie")])
  expect(await codesOf(true)).toEqual(["account_required"])
})
