import { describe, expect, test } from "bun:test"
import { catalogue } from "../../src/catalogue/index.ts"
import { readCase } from "../../src/engine/fetch/replay/case.ts"
import { replayEnvironment } from "../../src/engine/fetch/replay/environment.ts"
import { executeRun } from "../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../src/engine/runtime/run/memory-checkpoints.ts"
import { ownCases } from "../corpus-run.ts"

const social = catalogue.filter(({ failsRun }) => failsRun)

/** Error codes for the target itself. */
const answers = ["not_found", "private", "suspended", "unavailable", "no_preview"]
const failures = [
  ..."blocked login_required rate_limited missing_credentials forbidden browser_unavailable".split(
    " ",
  ),
  ..."app_shell parse_error outdated_site_constant layout_changed unsupported_content too_large".split(
    " ",
  ),
  ..."upstream_error http_error timeout dns connection tls crashed".split(" "),
  ..."invalid_input a_code_of_tomorrow".split(" "),
]

test("18 scrapers of social networks evaluate their own runs", () => {
  expect(social.length).toBe(18)
})

describe("a run without any item", () => {
  test.each(answers)("succeeds if all targets are %s", (code) => {
    for (const { slug, failsRun } of social) {
      expect(failsRun!([code]), slug).toBe(false)
      expect(failsRun!([code, ...answers]), slug).toBe(false)
    }
  })

  test.each(failures)("fails with %s, also next to a valid response", (code) => {
    for (const { slug, failsRun } of social) {
      expect(failsRun!([code]), slug).toBe(true)
      expect(failsRun!(["not_found", code]), slug).toBe(true)
    }
  })

  test.each([
    ["twitter-profile-scraper/query-id-stale", "outdated_site_constant"],
    ["instagram-profile-scraper/login-wanted-page-silent", "login_required"],
    ["twitch-channel-scraper/client-id-refused", "outdated_site_constant"],
  ])("%s fails with %s", async (name, code) => {
    const recorded = readCase(`${ownCases}/${name}`)
    const scraper = catalogue.find(({ slug }) => slug === recorded.slug)!
    const end = await executeRun({
      scraper,
      input: recorded.input,
      checkpoint: new MemoryCheckpoints(scraper.targets(recorded.input)),
      environment: replayEnvironment(recorded),
      signal: new AbortController().signal,
    })
    expect(end.status).toBe("failed")
    expect(end.error?.code).toBe(code)
  })
})
