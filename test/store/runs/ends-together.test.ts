import { expect, test } from "bun:test"
import { at, commitOf, finished, good, newRun, onEachStore, runningRun } from "../harness.ts"

onEachStore((freshStore) => {
  test("runs that end at the same moment end as they would one by one", async () => {
    const open = await freshStore()
    const { store } = open
    const account = { email: null, passwordHash: null, unlimited: true, credits: 0, createdAt: at }
    for (const id of ["acc_a", "acc_b"]) {
      await store.write("accounts.create", { ...account, id, email: `${id}@example.com` })
    }
    await store.write("webhooks.create", {
      ...{ id: "whk_a", account_id: "acc_a", url: "https://a.example/", description: null },
      ...{ events: '["run.succeeded","run.failed"]', secret: "s", previous_secret: null },
      ...{ previous_until: null, disabled_at: null, disabled_reason: null, created_at: at },
    })
    const names = ["good", "bad", "other", "keyless", "early", "asked", "again", "lost", "tick"]
    for (const name of names) {
      const accountId =
        { other: "acc_b", keyless: null }[name] ?? (name === "keyless" ? null : "acc_a")
      const origin = name === "tick" ? "schedule" : "api"
      const run = await runningRun(store, name, ["a"], { accountId, origin })
      if (name === "lost") continue
      const target = finished(0, { items: [good(name)] })
      await store.write("targets.commit", commitOf(run, { finished: [target] }))
    }
    await store.write("runs.create", newRun("queued", ["a"], { accountId: "acc_a" }))
    await store.write("runs.abort", { id: "asked", at })
    const end = { attempt: 1, status: "succeeded", error: null, capped: null, done: 1, at } as const
    const error = { code: "blocked", message: 'It\'s "blocked".' }
    const ended = await Promise.all([
      ...["good", "other", "keyless"].map((id) => store.write("runs.finish", { ...end, id })),
      store.write("runs.finish", { ...end, id: "bad", status: "failed", error, capped: "pages" }),
      store.write("runs.finish", { ...end, id: "early", at: "2020-01-01T00:00:00.000Z" }),
      store.write("runs.finish", { ...end, id: "asked" }),
      store.write("runs.finish", { ...end, id: "again", attempt: 7 }),
      store.write("runs.finish", { ...end, id: "lost" }),
      store.write("runs.finish", { ...end, id: "tick" }),
      store.write("runs.finish", { ...end, id: "queued" }),
      store.write("runs.finish", { ...end, id: "good" }),
      store.write("runs.finish", { ...end, id: "no-such-run" }),
    ])
    const visible = ended.map((run) => run && [run.id, run.status, run.finished_at, run.error_code])
    expect(visible).toEqual([
      ["good", "succeeded", at, null],
      ["other", "succeeded", at, null],
      ["keyless", "succeeded", at, null],
      ["bad", "failed", at, "blocked"],
      // The end is never before the start.
      ["early", "succeeded", at, null],
      ["asked", "aborted", at, null],
      ["again", "running", null, null],
      ["lost", "queued", null, null],
      ["tick", "succeeded", at, null],
      ["queued", "queued", null, null],
      ["good", "succeeded", at, null],
      undefined,
    ])
    expect(ended[3]).toMatchObject({ error_message: error.message, capped: "pages" })
    const deliveries = await store.db.selectFrom("deliveries").select("run_id").execute()
    expect(deliveries.map(({ run_id }) => run_id).sort()).toEqual(["bad", "early", "good", "tick"])
    await open.close()
  })
})
