// The connection to the server; comes back by itself when it was lost.

import { unpack } from './packet.js';

export class Socket {
  /** `on` has a function for each kind of message, and `open` and `close`. */
  constructor(on) {
    this.on = on;
    this.delay = 300;
    this.connect();
  }

  connect() {
    const socket = new WebSocket(`ws://${location.host}/socket`);
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => { this.delay = 300; this.on.open(); };
    socket.onmessage = ({ data }) => {
      const message = typeof data === 'string' ? JSON.parse(data) : unpack(data);
      this.on[message.kind]?.(message);
    };
    socket.onclose = () => {
      this.on.close();
      setTimeout(() => this.connect(), this.delay);
      this.delay = Math.min(2 * this.delay, 4000);
    };
    this.socket = socket;
  }

  /** Sends a request (crates/view/src/message.rs); nothing happens while there is no connection. */
  ask(what, more = {}) {
    if (this.socket.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ do: what, ...more }));
  }
}
