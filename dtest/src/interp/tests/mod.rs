mod built;
mod source;
