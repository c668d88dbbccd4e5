import type { ServerWebSocket, WebSocketHandler } from "bun"

/** Handlers of one WebSocket; the runtime has a single set of handlers for all of them. */
export interface Socket {
  opened(socket: ServerWebSocket<Socket>): void
  /** Called when the client has received everything sent. */
  drained(): void
  closed(): void
}

/** Maximum bytes of a message from a client. No route reads them. */
const maxMessageBytes = 1024

export const socketHandlers: WebSocketHandler<Socket> = {
  open: (socket) => socket.data.opened(socket),
  drain: (socket) => socket.data.drained(),
  close: (socket) => socket.data.closed(),
  message() {},
  idleTimeout: 120,
  sendPings: true,
  maxPayloadLength: maxMessageBytes,
}
