import { serve } from "../../src/base/rpc.ts"

/** A thread of the tests. */
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
    throw new Error("It fell over.")
  },
  exit: () => process.exit(0),
})
