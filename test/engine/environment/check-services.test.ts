import { expect, test } from "bun:test"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { loadConfig } from "../../../src/config/config.ts"
import { checkServices } from "../../../src/engine/ops/settings/check-services.ts"
import { MailStandIn } from "../../smtp.ts"

/** Returns a port that no process listens on. */
function closedPort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } })
  const { port } = listener
  listener.stop()
  return port
}

async function issues(env: Record<string, string>) {
  const found = await checkServices(loadConfig(env))
  return Object.fromEntries(found.map(({ what, issue }) => [what, issue]))
}

test("doctor names the storages and the mail server that do not respond", async () => {
  const gone = closedPort()
  const found = await issues({
    TRAWL_BACKUP_TO: "s3://bucket/path",
    TRAWL_S3_BUCKET: "bucket",
    TRAWL_S3_ENDPOINT: `http://127.0.0.1:${gone}`,
    TRAWL_S3_ACCESS_KEY_ID: "a",
    TRAWL_S3_SECRET_ACCESS_KEY: "b",
    TRAWL_SMTP_URL: `smtp://127.0.0.1:${gone}`,
    TRAWL_SMTP_FROM: "Trawl <trawl@example.com>",
  })
  expect(Object.keys(found)).toEqual(["backups", "files", "mail server"])
  for (const issue of Object.values(found)) expect(issue).toMatch(/refused|connect/i)
})

test("doctor reports those that respond, and none that is not set", async () => {
  expect(await issues({})).toEqual({})
  const mail = new MailStandIn()
  const folder = mkdtempSync(join(tmpdir(), "trawl-doctor-"))
  try {
    const found = await issues({
      TRAWL_BACKUP_TO: folder,
      TRAWL_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      TRAWL_SMTP_FROM: "Trawl <trawl@example.com>",
    })
    expect(found).toEqual({ backups: null, "mail server": null })
    expect(mail.received).toEqual([])
  } finally {
    mail.stop()
    rmSync(folder, { recursive: true })
  }
})
