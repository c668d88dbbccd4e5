import { afterAll, beforeAll, expect, test } from "bun:test"
import { Installation } from "../api/process.ts"
import { MailStandIn } from "../smtp.ts"

const mail = new MailStandIn()
const installation = new Installation({
  TRAWL_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
  TRAWL_SMTP_FROM: "trawl@example.com",
})
beforeAll(async () => {
  await installation.run("account", "create", "op@example.com", "--owner")
}, 180_000)
afterAll(async () => {
  mail.stop()
  await installation.remove()
})

let id: string
test("an operator's channel is created for the first administrator, and listed", async () => {
  const added = await installation.run("notify", "add", "email", "--to", "ops@example.com")
  expect(added.code).toBe(0)
  id = added.stdout.trim()
  const { stdout } = await installation.run("notify", "list", "--json")
  expect(JSON.parse(stdout)).toMatchObject({ id, kind: "email", target: "ops@example.com" })
  expect(JSON.parse(stdout).events).toContain("backup.failed")
}, 180_000)

// Less than the time for which an idle mail thread stays.
test("its test is sent without a running service, and the command ends with it", async () => {
  const { code, stdout } = await installation.run("notify", "test", id)
  expect([code, stdout]).toEqual([0, expect.stringContaining("delivered: 250")])
  expect(mail.received.map(({ to }) => to)).toEqual([["ops@example.com"]])
}, 25_000)
