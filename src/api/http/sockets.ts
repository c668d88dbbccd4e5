import type { ServerWebSocket, WebSocketHandler } from "bun"

/** What one WebSocket does; the runtime has one set of handlers for all of them. */
export interface Socket {
  opened(socket: ServerWebSocket<Socket>): void
  /** The client has received what was sent. */
  drained(): void
  closed(): void
}

/** No route reads what clients send by a WebSocket. */
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
