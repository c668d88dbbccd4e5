import { Command } from "commander"
import { registerAccount } from "../../src/cli/account.ts"
import { registerBackup } from "../../src/cli/backup.ts"
import { registerOpenapi } from "../../src/cli/openapi.ts"
const program = new Command("trawl")
registerAccount(program); registerBackup(program); registerOpenapi(program)
await program.parseAsync()
