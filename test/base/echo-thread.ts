import { serve } from "../../src/base/rpc.ts"

/** A thread for tests. */
export interface EchoThread {
  echo(value: string): string
  hang(): Promise<never>
  crash(): void
  exit(): void
}

declare const self: Worker

serve<EchoThread>(self, {
  echo: (value) => value,
  hang: () => new Promise(() => {}),
  crash() {
    throw new Error("The thread failed.")
  },
  exit: () => process.exit(0),
})
