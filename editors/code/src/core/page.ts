/** The page of the panel. */

/** Where its parts are, as the page may load them. */
export interface Parts {
  readonly script: string;
  readonly style: string;
  /** Where styles may come from, as a source of a content security policy. */
  readonly source: string;
  /** What marks our script. */
  readonly nonce: string;
}

/** The document. Nothing but our script runs in it, and nothing is loaded from elsewhere. */
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
