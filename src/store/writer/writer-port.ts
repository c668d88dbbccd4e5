import { type Calls, type Connection, connect, type Port, serve } from "../../base/rpc.ts"
import type { CommandArguments, CommandResult, WriteCommand } from "../commands/commands.ts"
import type { Writer } from "./group-writer.ts"

/** The writer as other threads call it. */
export interface WriterPort {
  write(command: WriteCommand, args: unknown): Promise<unknown>
}

/** Maximum changes of one thread in progress; further ones wait in that thread. */
export const maxRunning = 256

/**
 * Commands whose arguments and results are posted as JSON. They have many small fields: cloning
 * takes twice the processor time, and ten times as long until the other thread receives them.
 */
const postedAsJson: ReadonlySet<WriteCommand> = new Set(["runs.start", "runs.claim", "runs.finish"])

/** Makes a change that another thread posted (`changeBy`). */
export async function makePosted(
  writer: Writer,
  command: WriteCommand,
  args: unknown,
): Promise<unknown> {
  if (!postedAsJson.has(command)) return writer.write(command, args as never)
  return JSON.stringify(await writer.write(command, JSON.parse(args as string) as never))
}

/** Makes the changes that arrive at a port. */
export function serveWriter(writer: Writer, port: Port): void {
  serve<WriterPort>(port, { write: (command, args) => makePosted(writer, command, args) })
}

/** Executes changes in the writer's thread. */
export class PortWriter implements Writer {
  private readonly connection: Connection<WriterPort>

  constructor(port: Port) {
    this.connection = connect<WriterPort>(port, maxRunning)
  }

  write<V extends WriteCommand>(command: V, args: CommandArguments<V>): Promise<CommandResult<V>> {
    return changeBy(this.connection.calls, command, args)
  }

  async close(): Promise<void> {
    this.connection.fail(new Error("The store is closed."))
  }
}

/** The types of a command's result and arguments depend on the command. */
export async function changeBy<V extends WriteCommand>(
  writer: Calls<WriterPort>,
  command: V,
  args: CommandArguments<V>,
): Promise<CommandResult<V>> {
  if (!postedAsJson.has(command)) return writer.write(command, args) as Promise<CommandResult<V>>
  const result = (await writer.write(command, JSON.stringify(args))) as string | undefined
  return result === undefined ? (undefined as CommandResult<V>) : JSON.parse(result)
}
