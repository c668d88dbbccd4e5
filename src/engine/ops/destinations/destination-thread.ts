import { serve } from "../../../base/rpc.ts"
import { goSecond } from "../../../base/thread-priority.ts"
import { connectStore } from "../../../store/store.ts"
import { SecretBox } from "../../../store/upkeep/secret-box.ts"
import { PortWriter } from "../../../store/writer/writer-port.ts"
import type { DestinationSettings } from "./access.ts"
import { type DeliveryTransport, LocalTransport } from "./transport.ts"

export interface ThreadSettings extends DestinationSettings {
  /** Path or URL of the database. */
  database: string
  /** Path of the file with the keys that decrypt secrets. */
  keyFile: string
}

/**
 * The thread that delivers: it converts items to rows, files and requests outside the main thread.
 */
export interface DestinationThread extends DeliveryTransport {
  open(settings: ThreadSettings, writer: MessagePort): void
}

declare const self: Worker

let transport: LocalTransport

serve<DestinationThread>(self, {
  open({ database, keyFile, ...settings }, writer) {
    goSecond()
    const store = connectStore(database, new PortWriter(writer))
    transport = new LocalTransport(store, SecretBox.at(keyFile), settings)
  },
  deliver: (job, stopped) => transport.deliver(job, stopped),
  test: (destination, stopped) => transport.test(destination, stopped),
})
