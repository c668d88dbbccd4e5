import { describe, expect, test } from "bun:test"
import { replayClock } from "../../../src/base/clock.ts"
import { isSecret, secrets } from "../../../src/catalogue/kit/index.ts"
import twitterSearch from "../../../src/catalogue/x/twitter-search-scraper.ts"
import { type Environment, keylessWorld } from "../../../src/engine/fetch/environment.ts"
import { executeRun } from "../../../src/engine/runtime/run/execute.ts"
import { MemoryCheckpoints } from "../../../src/engine/runtime/run/memory-checkpoints.ts"
import { contextIn } from "../../context.ts"

const settings = ["BITCOIN_ESPLORA_URL", "DNS_RESOLVER", "GITLAB_URL", "TRAWL_CONTACT"]
const names = [...Object.keys(secrets), "MASTODON_TOKEN_MASTODON_SOCIAL"]

function world(parts: Partial<Environment> = {}): Environment {
  return {
    clock: replayClock(0),
    http: { send: () => Promise.reject(new Error("unexpected request")) },
    dns: () => Promise.reject(new Error("no")),
    tls: () => Promise.reject(new Error("no")),
    env: { ...Object.fromEntries(names.map((name) => [name, `value of ${name}`])), PATH: "/bin" },
    ...parts,
  }
}

/** Returns the value that a scraper gets for a name in an environment. */
function secretIn(environment: Environment, name: string): string | undefined {
  return contextIn(environment).secret(name)
}

describe("secrets of a person or with a quota serve runs of accounts only", () => {
  for (const name of names) {
    test(name, () => {
      expect(isSecret(name)).toBe(!settings.includes(name))
      expect(secretIn(world(), name)).toBe(`value of ${name}`)
      const inKeyless = secretIn(keylessWorld(world()), name)
      expect(inKeyless).toBe(isSecret(name) ? undefined : `value of ${name}`)
    })
  }

  test("unless a setting allows them, by name or all", () => {
    const some = keylessWorld(world({ keylessSecrets: ["GITHUB_TOKEN"] }))
    expect(secretIn(some, "GITHUB_TOKEN")).toBe("value of GITHUB_TOKEN")
    expect(secretIn(some, "GITLAB_TOKEN")).toBeUndefined()
    const all = keylessWorld(world({ keylessSecrets: ["all"] }))
    for (const name of names) expect(secretIn(all, name)).toBe(`value of ${name}`)
  })

  test("other settings stay", () => {
    expect(keylessWorld(world()).env.PATH).toBe("/bin")
  })
})

describe("a run that lacks one names the reason", () => {
  async function search(environment: Environment): Promise<{ code: string; message: string }> {
    const checkpoint = new MemoryCheckpoints(["cats"])
    const signal = new AbortController().signal
    const input = { queries: ["cats"] }
    await executeRun({ scraper: twitterSearch, input, checkpoint, environment, signal })
    for await (const { error } of checkpoint.items())
      return error as { code: string; message: string }
    throw new Error("There is no item.")
  }

  test("if the operator has it, an account's run can use it", async () => {
    const error = await search(keylessWorld(world()))
    expect(error.code).toBe("missing_credentials")
    expect(error.message).toContain("X_AUTH_TOKEN")
    expect(error.message).toContain("send an API key")
  })

  test("if it is not set, the message names it for the operator", async () => {
    const error = await search(keylessWorld(world({ env: {} })))
    expect(error.code).toBe("missing_credentials")
    expect(error.message).toContain("set X_AUTH_TOKEN")
  })
})
