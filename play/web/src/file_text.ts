// Text of a file, in the encodings that files of games have.

// UTF-8, UTF-16 by its byte order mark, else Windows-874: Thai.
export async function textOf(file: Blob): Promise<string> {
  const bytes = await file.arrayBuffer();
  const mark = new Uint8Array(bytes.slice(0, 2)).join();
  if (mark === "255,254") return new TextDecoder("utf-16le").decode(bytes);
  if (mark === "254,255") return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-874").decode(bytes);
  }
}
