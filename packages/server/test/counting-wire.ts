import { type WakeListener, WakeWire } from "../src/base/wake-wire.ts";

/** Knows how many listen. */
export class CountingWire extends WakeWire {
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
