import type { Command } from "commander"
import { describeApi } from "../app/bootstrap.ts"
import { publicRoot } from "../config/config.ts"
import { readSettings } from "./common/settings.ts"

/** `trawl openapi`: prints the document that a running service returns at /openapi.json. */
export function registerOpenapi(program: Command): void {
  program
    .command("openapi")
    .description("Print the OpenAPI document")
    .action(async () => {
      const config = readSettings()
      console.log(
        JSON.stringify(await describeApi(config, publicRoot(config, config.port)), null, 2),
      )
    })
}
