/** The page of the panel. */

/** The locations of the page's parts, as the page may load them. */
export interface Parts {
  readonly script: string;
  readonly style: string;
  /** The source of styles, for the content security policy. */
  readonly source: string;
  /** The nonce of our script. */
  readonly nonce: string;
}

/** Returns the document. Only our script runs in it, and nothing is loaded from elsewhere. */
export function page({ script, style, source, nonce }: Parts): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src ${source}; script-src 'nonce-${nonce}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${style}">
<title>Executions</title>
</head>
<body>
<main id="executions"></main>
<script nonce="${nonce}" src="${script}"></script>
</body>
</html>
`;
}
