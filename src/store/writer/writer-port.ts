import { type Calls, type Connection, connect, type Port, serve } from "../../base/rpc.ts"
import type { VerbArguments, VerbResult, WriteVerb } from "../verbs/verbs.ts"
import type { Writer } from "./group-writer.ts"

/** The writer as other threads ask it. */
export interface WriterPort {
  write(verb: WriteVerb, args: unknown): Promise<unknown>
}

/** Changes that one thread may have under way; further ones wait there. */
export const mostUnderWay = 256

/** Makes the changes that are asked for at a port. */
export function serveWriter(writer: Writer, port: Port): void {
  serve<WriterPort>(port, { write: (verb, args) => writer.write(verb, args as never) })
}

/** Has changes made by the writer's thread. */
export class PortWriter implements Writer {
  private readonly connection: Connection<WriterPort>

  constructor(port: Port) {
    this.connection = connect<WriterPort>(port, mostUnderWay)
  }

  write<V extends WriteVerb>(verb: V, args: VerbArguments<V>): Promise<VerbResult<V>> {
    return changeBy(this.connection.calls, verb, args)
  }

  async close(): Promise<void> {
    this.connection.fail(new Error("The store is closed."))
  }
}

/** A verb's result is what the verb says. */
export function changeBy<V extends WriteVerb>(
  writer: Calls<WriterPort>,
  verb: V,
  args: VerbArguments<V>,
): Promise<VerbResult<V>> {
  return writer.write(verb, args) as Promise<VerbResult<V>>
}
