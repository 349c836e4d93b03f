import { EventBus, type WakeListener } from "../../../src/base/process/event-bus.ts";

/** Counts its listeners. */
export class CountingBus extends EventBus {
  listening = 0;

  override onWake(channel: string, listener: WakeListener): () => void {
    const end = super.onWake(channel, listener);
    this.listening += 1;
    return () => {
      this.listening -= 1;
      end();
    };
  }
}
