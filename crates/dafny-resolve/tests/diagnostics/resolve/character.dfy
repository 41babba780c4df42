// options: --unicode-char=false
const Smile := '😀'
