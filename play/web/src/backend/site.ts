// The files of a site without a server (play/export/site.h), as they lie beside the page.
import type { Player } from "./backend";
import { later } from "../language";

export const TOWER = "network"; // The player of that name.

// site.json.
export interface Site {
  games: Record<string, { network?: string; players: Player[] }>; // By game, "makyek".
  tower: string; // The id of the tower of net.json; empty: there is none.
}

export async function fetched(name: string): Promise<Response> {
  const response = await fetch(new URL(name, self.location.href));
  if (!response.ok) throw new Error(later("A file of this page is missing: export it again."));
  return response;
}

// A file that is packed by gzip; some servers have the browser unpack it.
export async function unpacked(name: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(await (await fetched(name)).arrayBuffer());
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
