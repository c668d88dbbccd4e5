import { adminApi } from "../../api/admin/admin.ts"
import { createLog } from "../../api/log/log.ts"
import { Service } from "../../api/service.ts"
import { type Config, publicRoot } from "../../config/config.ts"
import type { OwnCall, OwnResponse } from "../../engine/net/network/own-service.ts"
import type { RunService } from "../../engine/runtime/workers/runs.ts"
import { openStoreAt } from "../../store/store.ts"

/** Opens the data folder, and lets `work` send requests to the admin API in this process. */
export async function callInProcess<T>(
  config: Config,
  work: (send: (call: OwnCall) => Promise<OwnResponse>) => Promise<T>,
): Promise<T> {
  const store = await openStoreAt(config)
  // A running thread would keep the process alive.
  let after = () => {}
  try {
    const { log } = createLog({ logLevel: "silent" })
    const token = crypto.randomUUID()
    // The admin API starts no runs.
    const runs = undefined as unknown as RunService
    const service = await Service.open({ config, store, runs, log, operatorToken: token })
    const api = adminApi(service)
    const root = publicRoot(config, config.port)
    after = () => service.dispatcher.mailer.stop()
    return await work(async ({ method, path, body }) => {
      const response = await api.handle(
        new Request(`${root}${path}`, {
          method,
          headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        }),
      )
      return { status: response.status, text: await response.text() }
    })
  } finally {
    after()
    await store.close()
  }
}
