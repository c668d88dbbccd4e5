import { OtherService } from "../../engine/net/network/other-service.ts"
import { BadUse } from "../bad-use.ts"

/** The Trawl that `--remote` and `--key` name. @throws BadUse */
export function remoteService(address: string, key = process.env.TRAWL_API_KEY): OtherService {
  if (!key) throw new BadUse("--remote needs an API key: --key, or TRAWL_API_KEY.")
  if (!/^https?:\/\//.test(address) || !URL.canParse(address)) {
    throw new BadUse(`--remote wants an address like https://trawl.example.com, not ${address}.`)
  }
  return new OtherService(address, key)
}
