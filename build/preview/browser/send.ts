/** Sends changes to the server that the page is from. */

export interface Received {
  readonly status: number;
  readonly body: { readonly error: string; readonly [name: string]: unknown };
}

/**
 * Sends a request of the editor.
 *
 * @param token of the page
 * @param name of the request
 * @param content an image, or what is sent as JSON
 * @returns status 0, with a sentence, if there is no response
 */
export async function send(token: string, name: string, content: object): Promise<Received> {
  const isImage = content instanceof Blob;
  const type = isImage ? content.type || 'application/octet-stream' : 'application/json';
  try {
    const response = await fetch(`/-/edit/${name}`, {
      method: 'POST',
      headers: { 'Content-Type': type, 'X-Preview-Token': token },
      body: isImage ? content : JSON.stringify(content),
    });
    return { status: response.status, body: await response.json() };
  } catch {
    const error = 'Not saved: is pastpaper preview still running? Your text is still here.';
    return { status: 0, body: { error } };
  }
}
