import { expect, test } from "bun:test"
import { checkActions, checkInput, type PageAction } from "../../src/catalogue/kit/index.ts"
import urlToMarkdown from "../../src/catalogue/web/url-to-markdown-scraper.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import { executeRun } from "../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../src/engine/runtime/run/memory-checkpoints.ts"

const issueOf = (action: PageAction) => {
  try {
    checkActions([{ type: "scroll" }, action])
  } catch (error) {
    return (error as Error).message
  }
}

test("an action without a required option is refused by the field's name", () => {
  expect(issueOf({ type: "click", selector: "main > a.more" })).toBeUndefined()
  expect(issueOf({ type: "click" })).toBe('actions[1].selector: "click" requires it.')
  expect(issueOf({ type: "type", selector: "#q" })).toBe('actions[1].text: "type" requires it.')
  expect(issueOf({ type: "wait" })).toBe('actions[1]: "wait" requires selector or milliseconds.')
  expect(issueOf({ type: "click", selector: "a[" })).toStartWith("actions[1].selector: ")
  const checked = checkInput(urlToMarkdown.input, {
    urls: ["https://a.example"],
    actions: [{ type: "hover", selector: "a" }],
  })
  expect(checked.ok).toBe(false)
})

/** An environment of recorded responses, in which Chrome returned the page. */
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
  if (!input.ok) throw new Error(JSON.stringify(input.issues))
  const checkpoint = new MemoryCheckpoints(["https://a.example/"], () => {})
  await executeRun({
    scraper: urlToMarkdown,
    input: input.input,
    checkpoint,
    environment: { ...environment, ...(isKeyless ? { isKeyless } : {}) },
    signal: AbortSignal.timeout(30_000),
  })
  const codes: unknown[] = []
  for await (const item of checkpoint.items()) {
    codes.push((item.error as { code: string } | undefined)?.code ?? item.markdown)
  }
  return codes
}

test("actions use Chrome, and need an account", async () => {
  expect(await codesOf(false)).toEqual([expect.stringContaining("# Quay\n\nThe quay of Corrie")])
  expect(await codesOf(true)).toEqual(["account_required"])
})
