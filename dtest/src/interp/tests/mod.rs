mod built;
mod codata;
mod source;
