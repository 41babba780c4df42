mod built;
mod external;
mod source;
